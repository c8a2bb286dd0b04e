internal import Files
internal import Foundation

/// The folder of a film rendered by several machines: its plan, pieces and claims. The machines share nothing else, and
/// the folder stays consistent if any of them fails.
public struct WorkFolder: Sendable, Hashable {
  /// The path.
  public let path: String

  /// - Parameter path: The folder, existing or not.
  public init(_ path: String) { self.path = path }

  /// The plan; exists once the folder is complete.
  public var planPath: String { path(of: "plan.json") }
  /// The folder of pieces and records.
  public var piecesPath: String { path(of: "chunks") }
  var claimsPath: String { path(of: "claims") }
  var triesPath: String { path(of: "tries") }

  /// Returns the path of a file in the folder.
  /// - Parameter name: The file name.
  public func path(of name: String) -> String { FileLocation.path(path, name) }

  /// Returns the path of a file in the pieces folder.
  /// - Parameter name: The file name.
  public func piecePath(_ name: String) -> String { FileLocation.path(piecesPath, name) }

  /// Returns the path of a piece that is being written.
  /// - Parameters:
  ///   - number: The number of the chunk.
  ///   - token: The lease's token, which marks the file as in use.
  public func partPath(_ number: Int, token: String) -> String { piecePath("\(number).\(token).part.mkv") }

  /// Returns the file name of a piece.
  /// - Parameters:
  ///   - number: The number of the chunk.
  ///   - hash: Hash of the file: letters, digits, "-" and "_".
  public static func pieceName(_ number: Int, hash: String) -> String { "\(number).\(hash).mkv" }

  /// Returns the file name of a thumbnail.
  /// - Parameters:
  ///   - number: The number of the chunk.
  ///   - hash: Letters, digits, "-" and "_".
  public static func thumbnailName(_ number: Int, hash: String) -> String { "\(number).\(hash).png" }

  /// Creates the folder and its subfolders, unless they exist.
  /// - Throws: `FarmError.failed`.
  public func create() throws(FarmError) {
    for folder in [path, piecesPath, claimsPath, triesPath] {
      if unsafe mkdir(folder.systemName, 0o777) == 0 { continue }
      let code = errno
      // For an existing folder, a read-only file system may return EROFS.
      guard FileStatus(folder)?.kind == .folder else {
        throw .failed(.create, path: folder, code: code == EEXIST ? ENOTDIR : code)
      }
    }
  }

  /// Returns the file names in a folder.
  func names(in folder: String) throws(FarmError) -> [String] {
    if let names = FileLocation.names(in: folder) { return names }
    let code = errno
    if code == ENOENT || code == ENOTDIR {
      let name = FileLocation(folder).name
      throw .notWorkFolder(path: path, reason: folder == path ? "it does not exist" : "it has no folder '\(name)'")
    }
    throw .failed(.list, path: folder, code: code)
  }

  private var cancelPath: String { path(of: "cancelled") }

  /// Cancels all current work: processes stop at their next check. Work that starts later is not affected.
  /// - Throws: `FarmError.failed`.
  public func cancel() throws(FarmError) {
    if FileStatus(path)?.kind != .folder { throw .notWorkFolder(path: path, reason: "it does not exist") }
    let descriptor = unsafe open(cancelPath.systemName, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .failed(.create, path: cancelPath, code: errno) }
    defer { close(descriptor) }
    guard futimens(descriptor, nil) == 0 else { throw .failed(.write, path: cancelPath, code: errno) }
    try DurableFile.at(cancelPath) { () throws(DurableFile.Failure) in try DurableFile.syncFolder(path) }
  }

  /// The time of the last cancellation; nil: never.
  public var cancelTime: ServerTime? { FileFacts(path: cancelPath)?.modified }

  /// Returns whether the work was cancelled after a chunk was taken.
  /// - Parameter lease: The chunk's lease.
  public func wasCancelled(since lease: Lease) -> Bool { wasCancelled(since: lease.taken) }

  /// Returns whether the work was cancelled at a time or later.
  /// - Parameter time: A time by the server's clock (`now()`).
  public func wasCancelled(since time: ServerTime) -> Bool { cancelTime.map { $0 >= time } ?? false }

  /// Minimum seconds since the last write before an unclaimed file is removed: a machine that lost its claim may still
  /// write.
  private static let quietTime = 120.0

  /// Removes what crashed machines left behind: partial pieces, temporary files, and pieces whose record has been
  /// replaced. Ignores errors.
  public func removeLeftovers() { removeLeftovers(olderThan: Self.quietTime) }

  /// - Parameter seconds: Minimum seconds since a file was last written or renamed.
  package func removeLeftovers(olderThan seconds: Double) {
    guard let now = try? now() else { return }
    for folder in [piecesPath, claimsPath, triesPath] {
      for name in FileLocation.names(in: folder) ?? [] where isTemporary(name) {
        remove(FileLocation.path(folder, name), olderThan: seconds, now)
      }
    }
    var sound: [Int: PieceRecord?] = [:]
    for name in FileLocation.names(in: piecesPath) ?? [] {
      guard let kind = PieceName(name), isLeftover(name, kind, now, &sound) else { continue }
      remove(piecePath(name), olderThan: seconds, now)
    }
  }

  private func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(".") && [".tmp", ".new", ".old"].contains { name.hasSuffix($0) }
  }

  private func isLeftover(_ name: String, _ kind: PieceName, _ now: ServerTime, _ sound: inout [Int: PieceRecord?])
    -> Bool
  {
    switch kind {
    case .part(let number, let token):
      guard let claim = livingClaim(number, now) else { return true }
      // An unreadable claim may belong to any machine.
      return claim.token != token && !claim.token.isEmpty
    case .piece(let number), .thumbnail(let number), .rejectedPiece(let number):
      guard livingClaim(number, now) == nil else { return false }
      let record = sound[number] ?? soundRecord(number)
      sound[number] = .some(record)
      guard let record else { return false }
      return record.file != name && record.thumbnail != name
    case .record, .rejection: return false
    }
  }

  private func livingClaim(_ number: Int, _ now: ServerTime) -> Claim? {
    claim(number, now: now).flatMap { $0.isExpired || $0.process?.hasEnded == true ? nil : $0 }
  }

  private func soundRecord(_ number: Int) -> PieceRecord? {
    guard let record = try? record(number), fault(record) == nil else { return nil }
    return record
  }

  private func remove(_ path: String, olderThan seconds: Double, _ now: ServerTime) {
    guard let facts = FileFacts(path: path), facts.isRegular, now.seconds(since: facts.changed) >= seconds else {
      return
    }
    unsafe unlink(path.systemName)
  }

  /// Returns the server's time, by touching a file: the machines' clocks may differ.
  /// - Throws: `FarmError.failed` if the folder is not writable.
  public func now() throws(FarmError) -> ServerTime {
    let path = path(of: ".clock")
    let descriptor = unsafe open(path.systemName, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .failed(.create, path: path, code: errno) }
    defer { close(descriptor) }
    guard futimens(descriptor, nil) == 0, let facts = FileFacts(descriptor) else {
      throw .failed(.write, path: path, code: errno)
    }
    return facts.modified
  }
}

/// A time by the file server's clock, the only one that all machines share.
public struct ServerTime: Hashable, Comparable, Sendable {
  /// Since 1970.
  public let seconds: Int
  /// 0 to 999,999,999.
  public let nanoseconds: Int

  init(_ time: timespec) { (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec)) }

  public static func < (left: ServerTime, right: ServerTime) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// Returns the seconds since another time; negative if that is later.
  public func seconds(since earlier: ServerTime) -> Double {
    Double(seconds) - Double(earlier.seconds) + Double(nanoseconds - earlier.nanoseconds) / 1e9
  }
}
