internal import Files
internal import Foundation

extension WorkFolder {
  private var cancelPath: String { path(of: "cancelled") }

  /// Ends the work of all processes that have begun it so far, as soon as they look. What begins later works.
  /// - Throws: `FarmError.failed`.
  public func cancel() throws(FarmError) {
    if FileStatus(path)?.kind != .folder { throw .isNoWorkFolder(path: path, reason: "it does not exist") }
    let descriptor = unsafe open(cancelPath.systemName, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .failed(.create, path: cancelPath, code: errno) }
    defer { close(descriptor) }
    guard futimens(descriptor, nil) == 0 else { throw .failed(.write, path: cancelPath, code: errno) }
    try DurableFile.at(cancelPath) { () throws(DurableFile.Failure) in try DurableFile.syncFolder(path) }
  }

  /// When the work was last cancelled; nil: never.
  public var cancelTime: ServerTime? { FileFacts(path: cancelPath)?.modified }

  /// Whether the work was cancelled after a chunk was taken.
  /// - Parameter lease: Of the chunk.
  public func wasCancelled(since lease: Lease) -> Bool { wasCancelled(since: lease.taken) }

  /// Whether the work was cancelled at a time or later.
  /// - Parameter time: By the server's clock (`now()`).
  public func wasCancelled(since time: ServerTime) -> Bool { cancelTime.map { $0 >= time } ?? false }
}
