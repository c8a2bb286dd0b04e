/// How the process ends.
enum ExitStatus: Int32, Error {
  /// Something could not be read, written or processed.
  case failed = 1
  /// The command line asks for something that does not exist or cannot be.
  case usage = 2
  /// A verification did not pass.
  case notVerified = 3
  /// The same command may succeed later.
  case retry = 75
  /// Ended by SIGHUP, SIGINT or SIGTERM, with the output so far complete.
  case hungUp = 129
  case interrupted = 130
  case terminated = 143
}
