internal import Displays
internal import Farm
internal import FFmpegIO
internal import Filters
internal import ImageFiles
internal import Media
internal import Patterns
internal import Scopes
internal import Sessions
internal import Threads

/// A command's failure: a sentence and the exit status.
struct CommandFailure: Error {
  var message: String
  var code: ExitStatus

  init(_ message: String, _ code: ExitStatus = .failed) {
    self.message = message
    self.code = code
  }

  /// Converts any error to a failure.
  init(_ error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let refusal as Refusal: self.init(refusal.words, ExitStatus(refusal.kind))
    case FFmpegError.output(let error): self.init(error)
    case let error as OutputError: self.init(error.words, ExitStatus(error.kind))
    case let error as any AdvisedError: self.init(error.words, error.status)
    case let error as any Failure: self.init(error.description, ExitStatus(error.kind))
    case let error as FarmError: self.init(error.description, error.isWorthRetrying ? .retry : .failed)
    case let error as SlurmError: self.init(error.description, error.isWorthRetrying ? .retry : .failed)
    case is ThreadError: self.init("\(error)", .retry)
    case is PatternError, is ScopeError, is FilterFailure: self.init("\(error)", .usage)
    default: self.init("\(error)")
    }
  }
}

extension ExitStatus {
  init(_ kind: FailureKind) {
    switch kind {
    case .failed: self = .failed
    case .invalidRequest: self = .usage
    case .temporary: self = .retry
    }
  }
}

/// Exit statuses.
enum ExitStatus: Int32, Error {
  /// Something could not be read, written or processed.
  case failed = 1
  /// The command line asks for something that does not exist or is impossible.
  case usage = 2
  /// A verification failed, or the confidence of a constant-colour picture is too low.
  case notVerified = 3
  /// A retry may succeed.
  case retry = 75
  /// Ended by SIGHUP, SIGINT or SIGTERM; the output so far is complete.
  case hungUp = 129
  case interrupted = 130
  case terminated = 143
}
