internal import Files
internal import Foundation

extension WorkFolder {
  private var cancelPath: String { path(of: "cancelled") }

  /// Cancels all current work: processes stop at their next check. Work that starts later is not affected.
  /// - Throws: `FarmError.failed`.
  public func cancel() throws(FarmError) {
    if FileStatus(path)?.kind != .folder { throw .isNoWorkFolder(path: path, reason: "it does not exist") }
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
}
