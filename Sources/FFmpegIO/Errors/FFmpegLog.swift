internal import CFFmpeg
internal import Foundation
internal import Synchronization

/// What FFmpeg and its encoders write to standard error on their own. Quiet unless asked.
public enum FFmpegLog {
  /// How much is written.
  public enum Level: Sendable, Hashable, CaseIterable {
    /// FFmpeg's level `quiet`: nothing.
    case quiet
    /// FFmpeg's level `error`.
    case errors
    /// FFmpeg's level `warning`, errors included.
    case warnings
    /// FFmpeg's level `verbose`: warnings, and what codecs and formats decide.
    case verbose
  }

  private static let current = Mutex(Level.quiet)

  /// How much FFmpeg says from now on, for the whole process.
  public static var level: Level {
    get { current.withLock { $0 } }
    set {
      current.withLock { $0 = newValue }
      install(newValue)
    }
  }

  /// Takes FFmpeg's log over; every entry into the library calls it first.
  static func prepare() { _ = installed }

  private static let installed: Void = {
    install(level)
    // SVT-AV1 writes to standard error on its own, past FFmpeg's log: 1 is "errors only".
    unsafe setenv("SVT_LOG", "1", 0)
  }()

  // What FFmpeg said is kept in variables that every object file has its own of: the three functions below stay in
  // this one.

  @inline(never)
  private static func install(_ level: Level) {
    let code =
      switch level {
      case .quiet: AV_LOG_QUIET
      case .errors: AV_LOG_ERROR
      case .warnings: AV_LOG_WARNING
      case .verbose: AV_LOG_VERBOSE
      }
    unsafe hr_log_install(code) { decoder, packet, message in
      guard let decoder = unsafe decoder, let message = unsafe message else { return }
      let errors = unsafe Unmanaged<DecoderErrors>.fromOpaque(decoder).takeUnretainedValue()
      errors.note(packet, unsafe String(cString: message))
    }
  }

  /// Calls `body` and gives its result with the warnings and errors that FFmpeg wrote on this thread meanwhile.
  static func listening<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> (result: Result, lines: [String]) {
    forget()
    let result = try body()
    return (result, kept().split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
  }

  @inline(never)
  private static func forget() { hr_log_clear() }

  @inline(never)
  private static func kept() -> String { unsafe String(cString: hr_log_kept()) }
}
