internal import Files
internal import Foundation

extension WorkFolder {
  /// Maximum size of a record in bytes: time tables can be long.
  private static let largestRecord = 16 << 20

  static func recordName(_ number: Int) -> String { "\(number).json" }

  /// Returns the record of a piece.
  /// - Parameter number: The number of the chunk.
  /// - Returns: nil if it is missing or damaged, belongs to another piece, or names files elsewhere.
  /// - Throws: `FarmError.failed` if it exists but cannot be read.
  public func record(_ number: Int) throws(FarmError) -> PieceRecord? {
    switch try storedRecord(number) {
    case .sound(let record): record
    case .none, .damaged: nil
    }
  }

  enum StoredRecord {
    case none
    /// The reason as a sentence ending.
    case damaged(String)
    case sound(PieceRecord)
  }

  func storedRecord(_ number: Int) throws(FarmError) -> StoredRecord {
    let path = piecePath(Self.recordName(number))
    let bytes: [UInt8]
    do {
      bytes = try SmallFile.bytes(of: path, upTo: Self.largestRecord)
    } catch .system(let code) {
      if code == ENOENT || code == ENOTDIR { return .none }
      throw .failed(.read, path: path, code: code)
    } catch {
      return .damaged("its record cannot be read: \(error)")
    }
    guard let record = JSONText.value(PieceRecord.self, bytes) else { return .damaged("its record is damaged") }
    if let reason = record.unsoundness(as: number) { return .damaged("its record is damaged: \(reason)") }
    return .sound(record)
  }

  /// Completes a piece: flushes its data to disk, then writes its name, then its record. If the process or machine
  /// fails meanwhile, there is either the record of a complete piece, or none. A failed commit can be repeated.
  /// - Parameters:
  ///   - part: The path of the written file (`partPath`); nil for a chunk without frames.
  ///   - record: The record; `file` is the part's final name.
  /// - Throws: `FarmError.notPiece` if the part does not match the record; `FarmError.failed`.
  public func commit(part: String?, record: PieceRecord) throws(FarmError) {
    let place = part ?? piecePath(Self.recordName(record.number))
    if let reason = record.unsoundness(as: record.number) { throw .notPiece(path: place, reason: reason) }
    guard let bytes = JSONText.bytes(record), bytes.count <= Self.largestRecord else {
      throw .notPiece(path: place, reason: "its record is too large")
    }
    switch (part, record.file) {
    case (let part?, let file?): try publish(part, as: file, bytes: record.bytes)
    case (nil, nil): break
    default: throw .notPiece(path: place, reason: "only one of the file and its name is given")
    }
    try replace(piecePath(Self.recordName(record.number)), bytes)
  }

  private func publish(_ part: String, as file: String, bytes: Int) throws(FarmError) {
    let flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    var part = part
    var descriptor = unsafe open(part.systemName, flags)
    if descriptor < 0, errno == ENOENT {
      // An earlier commit got this far before the disk filled up.
      part = piecePath(file)
      descriptor = unsafe open(part.systemName, flags)
    }
    guard descriptor >= 0 else { throw .failed(.read, path: part, code: errno) }
    defer { close(descriptor) }
    guard let facts = FileFacts(descriptor), facts.isRegular else {
      throw .notPiece(path: part, reason: "it is not a regular file")
    }
    guard facts.byteCount == bytes else {
      throw .notPiece(path: part, reason: "it has \(facts.byteCount) bytes, not \(bytes)")
    }
    try DurableFile.at(piecePath(file)) { () throws(DurableFile.Failure) in
      try DurableFile.commit(part, descriptor, as: piecePath(file), replaces: true)
    }
  }

  /// Returns what is wrong with a piece, as a sentence ending, based on file status only, without reading the file.
  /// - Parameters:
  ///   - record: The record of the piece.
  ///   - plan: Checksum of the plan.
  /// - Returns: nil if the piece is sound.
  public func fault(_ record: PieceRecord, plan: String) -> String? {
    if record.plan != plan { return "it was rendered for another plan" }
    return fault(record)
  }

  func fault(_ record: PieceRecord) -> String? {
    guard let file = record.file else { return nil }
    guard let status = FileStatus(piecePath(file), followsLinks: false) else { return "its file is missing" }
    guard status.kind == .regular else { return "its file is not a regular file" }
    return status.byteCount == record.bytes ? nil : "its file has \(status.byteCount) bytes, not \(record.bytes)"
  }

  /// Moves a piece and its record aside, so that the chunk is rendered again.
  /// - Parameters:
  ///   - number: The number of the chunk.
  ///   - reason: The fault, as a sentence ending.
  ///   - record: The faulty record: a newer one is kept. nil: any record.
  /// - Throws: `FarmError.failed`.
  public func reject(_ number: Int, because reason: String, record: PieceRecord? = nil) throws(FarmError) {
    var stored: PieceRecord?
    if case .sound(let found) = try storedRecord(number) { stored = found }
    if let record, record != stored { return }
    let token = DurableFile.token()
    // The piece goes first: any machine will find a record without its piece faulty.
    if let file = stored?.file {
      let aside = piecePath("\(number).\(token).rejected.mkv")
      let code = FileRenaming.rename(piecePath(file), to: aside, replaces: true)
      guard code == 0 || code == ENOENT else { throw .failed(.rename, path: piecePath(file), code: code) }
    }
    let name = "\(number).\(token).rejected.json"
    let path = piecePath(Self.recordName(number))
    let code = FileRenaming.rename(path, to: piecePath(name), replaces: true)
    if code == ENOENT { return }
    guard code == 0 else { throw .failed(.rename, path: path, code: code) }
    try replace(piecePath(name), JSONText.bytes(Rejection.Content(reason: reason, record: stored)) ?? [])
  }

  /// - Parameter name: The file name in the pieces folder.
  func rejection(_ number: Int, _ name: String) -> Rejection? {
    guard let (facts, bytes) = FileFacts.read(piecePath(name), upTo: 32 << 20) else { return nil }
    let reason = JSONText.value(Rejection.Content.self, bytes)?.reason ?? ""
    return Rejection(number: number, reason: reason, written: facts.modified)
  }
}

/// A piece that was committed and later found to be faulty.
public struct Rejection: Hashable, Sendable {
  /// The number of the chunk.
  public let number: Int
  /// A sentence ending; empty if the rejecting process ended before writing it.
  public let reason: String
  /// The time of rejection, by the server's clock.
  public let written: ServerTime

  struct Content: Codable {
    var reason: String
    var record: PieceRecord?
  }
}
