internal import CFFmpeg
internal import Foundation
internal import Synchronization

/// Output of FFmpeg and its encoders to standard error; nothing by default.
public enum FFmpegLog {
  /// Verbosity of the output.
  public enum Level: Sendable, Hashable, CaseIterable {
    /// FFmpeg's level `quiet`: nothing.
    case quiet
    /// FFmpeg's level `error`.
    case errors
    /// FFmpeg's level `warning`, errors included.
    case warnings
    /// FFmpeg's level `verbose`: warnings, and decisions of codecs and formats.
    case verbose
  }

  private static let current = Mutex(Level.quiet)

  /// The log level of the whole process from now on.
  public static var level: Level {
    get { current.withLock { $0 } }
    set {
      current.withLock { $0 = newValue }
      install(newValue)
    }
  }

  /// Installs the log callback; every entry point of the library calls it first.
  static func prepare() { _ = installed }

  private static let installed: Void = {
    install(level)
    // SVT-AV1 writes to standard error directly, bypassing FFmpeg's log: 1 is "errors only".
    unsafe setenv("SVT_LOG", "1", 0)
  }()

  // Captured messages are in static C variables, of which every object file has its own copy: the three functions below
  // must stay in this file.

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

  /// Calls `body` and returns its result with the warnings and errors that FFmpeg logged on this thread meanwhile.
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

/// The FFmpeg libraries in use.
public enum FFmpegVersion {
  /// For example "libavcodec 59.37.100, libavformat 59.27.100".
  public static var libraries: String {
    func words(_ version: UInt32) -> String { "\(version >> 16).\(version >> 8 & 255).\(version & 255)" }
    return "libavcodec \(words(avcodec_version())), libavformat \(words(avformat_version()))"
  }
}
