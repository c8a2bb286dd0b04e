internal import Foundation

/// What can go wrong with the file of an output.
public enum OutputError: Error, Sendable, Hashable {
  /// What was being done when the system gave a code.
  public enum Operation: String, Sendable, Hashable {
    /// The file could not be opened for writing.
    case create = "create"
    /// Bytes could not be written, as on a full disk.
    case write = "write to"
    /// The finished file could not get its name.
    case rename = "put the finished file at"
  }

  /// A call of the system failed with `code`; `message` is its own text.
  case failed(Operation, path: String, code: Int32, message: String)
  /// The folder of the output does not exist.
  case missingFolder(path: String)
  /// There is a file of this name, which is not to be replaced.
  case exists(path: String)
  /// Another run that still lives writes the same file.
  case beingWritten(path: String)
  /// It was finished or discarded before.
  case closed(path: String)

  /// A call of the system failed, and says why in `errno`.
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
    case .exists(let path): "'\(path)' was created in the meantime and was not replaced: choose another name."
    case .beingWritten(let path):
      "'\(path)' is being written by another run: wait for it to end, or choose another name."
    case .closed(let path): "'\(path)' is closed already: nothing can be written to it."
    }
  }
}

/// Codes of the system's calls.
package enum SystemCode {
  /// The system's own text.
  package static func text(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }

  /// Nothing is wrong with the command or the files: the system was short of space, or lost a device or a connection.
  package static func isWorthRetrying(_ code: Int32) -> Bool {
    [ENOSPC, EDQUOT, EIO, ESTALE, ENXIO, ENODEV, ETIMEDOUT, ECONNRESET, ECONNABORTED, ENETDOWN, EHOSTDOWN]
      .contains(abs(code))
  }
}
