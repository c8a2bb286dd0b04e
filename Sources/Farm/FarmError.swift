internal import Foundation

/// Why a work folder could not be used.
public enum FarmError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What the system was asked to do.
  public enum Action: String, Sendable, Hashable {
    /// A file or a folder could not be made.
    case create
    /// A file could not be read.
    case read
    /// Bytes could not be written, as on a full disk.
    case write
    /// A file could not get its name.
    case rename
    /// A claim could not be made.
    case link
    /// The names in a folder could not be read.
    case list
  }

  /// The system refused.
  /// - Parameters:
  ///   - path: The file or the folder.
  ///   - code: A value of `errno`.
  case failed(Action, path: String, code: Int32)
  /// There is no work folder there: the reason, as the end of a sentence.
  case isNoWorkFolder(path: String, reason: String)
  /// A piece does not fit the record that it was to be committed with: the reason, as the end of a sentence.
  case isNoPiece(path: String, reason: String)
  /// The work was cancelled after this process began it.
  case cancelled(path: String)

  /// The request and the files are fine: a disk was full, or a server was away. The same call may succeed later.
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
    case .isNoWorkFolder(let path, let reason):
      "'\(path)' is not a work folder: \(reason). Make one with 'headroom plan'."
    case .isNoPiece(let path, let reason): "'\(path)' cannot become a piece: \(reason)."
    case .cancelled(let path): "The work in '\(path)' was cancelled."
    }
  }
}
