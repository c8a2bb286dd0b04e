internal import Foundation

/// A reason why a work folder is unusable.
public enum FarmError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The failed operation.
  public enum Action: String, Sendable, Hashable {
    /// Creating a file or folder.
    case create
    /// Reading a file.
    case read
    /// Writing, for example to a full disk.
    case write
    /// Renaming a file.
    case rename
    /// Creating a claim.
    case link
    /// Listing a folder.
    case list
  }

  /// An operation failed.
  /// - Parameters:
  ///   - path: The file or folder.
  ///   - code: An `errno` value.
  case failed(Action, path: String, code: Int32)
  /// The path is not a work folder: the reason as a sentence ending.
  case notWorkFolder(path: String, reason: String)
  /// A piece does not match its record: the reason as a sentence ending.
  case notPiece(path: String, reason: String)
  /// The work was cancelled after this process started it.
  case cancelled(path: String)

  /// Whether a retry may succeed because the cause is external, such as a full disk or an unreachable server.
  public var isWorthRetrying: Bool {
    guard case .failed(_, _, let code) = self else { return false }
    return [
      ENOSPC, EDQUOT, EIO, ESTALE, EROFS, ENXIO, ENODEV, ETIMEDOUT, ECONNRESET, ECONNABORTED, ENETDOWN, EHOSTDOWN,
      EAGAIN, EINTR, ENOLCK, EMFILE, ENFILE, ENOMEM, EBUSY,
    ].contains(code)
  }

  public var description: String {
    switch self {
    case .failed(let action, let path, let code):
      "Cannot \(action.rawValue) '\(path)': \(unsafe String(cString: strerror(code)))."
    case .notWorkFolder(let path, let reason):
      "'\(path)' is not a work folder: \(reason). Make one with 'headroom plan'."
    case .notPiece(let path, let reason): "'\(path)' cannot become a piece: \(reason)."
    case .cancelled(let path): "The work in '\(path)' was cancelled."
    }
  }
}
