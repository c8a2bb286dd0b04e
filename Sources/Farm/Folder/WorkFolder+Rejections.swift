internal import Files
internal import Foundation

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

extension WorkFolder {
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
