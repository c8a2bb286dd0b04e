internal import Files
internal import Glibc

/// A failure of a Slurm operation.
public enum SlurmError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A Slurm program is not in PATH.
  case notInstalled(program: String)
  /// The controller does not respond: the program's message.
  case noReply(reason: String)
  /// The cluster has job arrays disabled.
  case arraysDisabled
  /// A Slurm program has exceeded the time limit in seconds.
  case timedOut(program: String, seconds: Double)
  /// A Slurm program has exceeded the output limit in bytes.
  case tooMuchOutput(program: String, limit: Int)
  /// A program cannot be run: an `errno` value.
  case cannotRun(program: String, code: Int32)
  /// A program refuses: its message.
  case refuses(program: String, reason: String)
  /// A reply that cannot be parsed.
  case invalidReply(program: String, answer: String)
  /// The user's options are unusable, and why.
  case invalidOptions(String, reason: String)
  /// A file of the submission cannot be written: an `errno` value.
  case cannotWrite(path: String, code: Int32)
  /// A file of the submission cannot be read, and why.
  case cannotRead(path: String, reason: String)

  /// Whether a retry may succeed.
  public var isWorthRetrying: Bool {
    switch self {
    case .noReply, .timedOut: true
    case .cannotRun(_, let code), .cannotWrite(_, let code):
      [EAGAIN, ENOMEM, ENOSPC, EDQUOT, EIO, ESTALE, EROFS, ETIMEDOUT].contains(code)
    default: false
    }
  }

  public var description: String {
    switch self {
    case .notInstalled(let program):
      "There is no Slurm on this machine: '\(program)' is not in PATH. Submit from a machine of the cluster."
    case .noReply(let reason):
      "Slurm's controller does not answer (\(reason)): try again later, or ask whoever runs the cluster."
    case .arraysDisabled:
      "This cluster has job arrays switched off (MaxArraySize is 0): render the chunks from a shell on each machine."
    case .timedOut(let program, let seconds):
      "'\(program)' has not answered within \(Int(seconds)) s: try again later, or ask whoever runs the cluster."
    case .tooMuchOutput(let program, let limit):
      "'\(program)' says more than \(limit >> 20) MiB, which is not read."
    case .cannotRun(let program, let code): "Cannot run '\(program)': \(Self.text(code))."
    case .refuses(let program, let reason): "'\(program)' refuses: \(reason)."
    case .invalidReply(let program, let answer): "'\(program)' gave an answer that is not understood: '\(answer)'."
    case .invalidOptions(let options, let reason): "The options for sbatch '\(options)' cannot be used: \(reason)."
    case .cannotWrite(let path, let code): "Cannot write '\(path.printable)': \(Self.text(code))."
    case .cannotRead(let path, let reason): "Cannot read '\(path.printable)': \(reason)."
    }
  }

  static func text(_ code: Int32) -> String { unsafe String(cString: strerror(code)) }
}
