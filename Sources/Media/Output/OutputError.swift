internal import Foundation

/// An error of an output file.
public enum OutputError: Error, Sendable, Hashable {
  /// The operation that failed.
  public enum Operation: String, Sendable, Hashable {
    /// The file could not be opened for writing.
    case create = "create"
    /// Data that was collected earlier for the output could not be read.
    case read = "read"
    /// Bytes could not be written, as on a full disk.
    case write = "write to"
    /// The finished file could not be renamed.
    case rename = "rename the finished file to"
  }

  /// A system call failed with `code`; `message` is the system's text.
  case failed(Operation, path: String, code: Int32, message: String)
  /// The folder of the output does not exist.
  case missingFolder(path: String)
  /// A file of this name exists and must not be replaced.
  case exists(path: String)
  /// Another running process writes the same file.
  case beingWritten(path: String)
  /// It was committed or discarded earlier.
  case closed(path: String)

  /// The error of a failed system call, by default from `errno`.
  package static func system(_ operation: Operation, _ path: String, _ code: Int32 = errno) -> OutputError {
    .failed(operation, path: path, code: code, message: SystemCode.text(code))
  }
}

extension OutputError: CustomStringConvertible {
  /// What was wrong, and where.
  public var description: String {
    switch self {
    case .failed(let operation, let path, _, let message): "Cannot \(operation.rawValue) '\(path)': \(message)."
    case .missingFolder(let path): "The folder '\(path)' does not exist: create it first."
    case .exists(let path): "'\(path)' exists and was not replaced: choose another name."
    case .beingWritten(let path):
      "'\(path)' is being written by another run: wait for it to end, or choose another name."
    case .closed(let path): "'\(path)' is already closed: nothing can be written to it."
    }
  }
}

/// Error codes of system calls.
package enum SystemCode {
  /// The system's text.
  package static func text(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }

  /// Whether a retry may succeed: the system ran out of space, or lost a device or a connection.
  package static func isWorthRetrying(_ code: Int32) -> Bool {
    [ENOSPC, EDQUOT, EIO, ESTALE, ENXIO, ENODEV, ETIMEDOUT, ECONNRESET, ECONNABORTED, ENETDOWN, EHOSTDOWN]
      .contains(abs(code))
  }
}
