internal import ArgumentParser
internal import BatchTranscode
internal import FFmpegIO
internal import Foundation
internal import Sessions
internal import Synchronization

/// Reports a session's events on standard error, and ends it gracefully on a signal.
final class Listener: @unchecked Sendable {
  // @unchecked: the variables are only accessed by the thread that runs the session.
  private let messages: MessageOptions
  /// Whether to acknowledge the first signal with a message.
  private let announcesStop: Bool
  private let isReporting: Bool
  private var interruption: Interruption?
  /// The current pass only measures: nothing is kept if it is stopped.
  private var isPass = false
  /// The messages that announce such a pass.
  private static let passes: Set<Message.Code> = ["measuring-input", "measuring-output", "first-of-two-passes"]
  /// Messages held back while the terminal shows pictures; nil: printed immediately.
  private let held: HeldMessages?
  private let library: LibraryConsole
  /// The exit status for a signal; nil if there was none.
  private(set) var status: ExitStatus?

  init(_ messages: MessageOptions, announcesStop: Bool, holdsMessages: Bool) {
    (self.messages, self.announcesStop) = (messages, announcesStop)
    library = LibraryConsole(messages)
    held = holdsMessages && Console.isInteractive ? HeldMessages() : nil
    isReporting = messages.progress == .json || messages.progress == .line && Console.isInteractive && held == nil
  }

  /// Prints the messages that were held back.
  func release() { held?.release() }

  func hear(_ event: Session.Event, _ session: Session) {
    if let held {
      held.hold { [self] in say(event) }
    } else {
      say(event)
    }
    switch event {
    case .began: interruption = Interruption(first: stop(session), second: { session.discardUnfinished() })
    case .ended:
      status = status ?? interruption?.status
      (interruption, isPass) = (nil, false)
    case .message(let message, .note) where Self.passes.contains(message.code): isPass = true
    default: break
    }
  }

  private func say(_ event: Session.Event) {
    switch event {
    case .message(let message, .warning): Console.warning(message.words)
    case .message(let message, .note): if !messages.quiet { Console.note(message.words) }
    case .began, .ended: break
    case .progress(let progress): if isReporting { report(progress) }
    case .pipeline: break
    case .module(let event): if let event = event as? LibraryEvent { library.hear(event) }
    case .finished(let progress): if !messages.quiet { Console.note(progress.summary) }
    }
  }

  private func stop(_ session: Session) -> @Sendable () -> Void {
    { [announcesStop = announcesStop && !isPass] in
      session.cancel()
      guard announcesStop else { return }
      Console.note("stopping: finishing what was read. A second signal stops at once and discards the output.")
    }
  }

  private func report(_ progress: Session.Progress) {
    if messages.progress == .json { return Console.plain(progress.json) }
    Console.progress(progress.line)
    if progress.isLast { Console.plain("") }
  }
}

extension MessageOptions {
  /// Runs `body` with a session, reports its events, and converts its errors to failures.
  /// - Parameters:
  ///   - announcesStop: Whether to acknowledge the first signal with a message.
  ///   - holdsMessages: Whether to hold messages back until the end, because the terminal shows something else.
  ///   - onlyPlans: Whether plans are only printed.
  func listening(
    announcesStop: Bool = false, holdsMessages: Bool = false, onlyPlans: Bool = false, _ body: (Session) throws -> Void
  ) throws {
    FFmpegLog.level = verbose ? .verbose : .quiet
    let listener = Listener(self, announcesStop: announcesStop, holdsMessages: holdsMessages)
    defer { listener.release() }
    let link = SessionLink()
    let session = Session(wording: .english, onlyPlans: onlyPlans) { event in
      if let session = link.session { listener.hear(event, session) }
    }
    link.session = session
    try failing {
      do {
        try body(session)
      } catch is Session.Cancellation {
        throw listener.status ?? .failed
      }
      if let status = listener.status { throw status }
    }
  }
}

/// Ordered messages from any thread, limited to a readable number.
private final class HeldMessages: Sendable {
  private let messages = Mutex<[@Sendable () -> Void]>([])

  func hold(_ message: @escaping @Sendable () -> Void) {
    messages.withLock { if $0.count < 1000 { $0.append(message) } }
  }

  func release() { for message in messages.withLock({ $0 }) { message() } }
}

/// A reference to the session, which is created after the listener.
private final class SessionLink: @unchecked Sendable {
  // @unchecked: set once, before the first event.
  weak var session: Session?
}

/// Runs `body`, and converts its errors to failures.
func failing(_ body: () throws -> Void) throws {
  do {
    try body()
  } catch let status as ExitStatus {
    throw status
  } catch {
    throw CommandFailure(error)
  }
}

/// Runs `body`, a validation of options, and converts a refusal to a failure.
func validated(_ body: () throws -> Void) throws {
  do {
    try body()
  } catch let refusal as Refusal {
    throw ValidationError(refusal.words)
  } catch let failure as CommandFailure {
    throw ValidationError(failure.message)
  }
}

extension Session.Progress {
  /// Estimated seconds until the last frame.
  private var secondsLeft: Double? {
    guard frames > 0 else { return nil }
    return totalFrames.map { Double(max($0 - frames, 0)) / max(rate, 1e-6) }
  }

  /// The result in one line.
  var summary: String {
    frames.counting("frame") + String(format: " in %.1f s, %.1f fps", seconds, rate)
      + (bytes.map { ", " + Self.size($0) } ?? "")
  }

  /// The progress for a terminal.
  var line: String {
    var line = "frame \(frames)" + (totalFrames.map { "/\($0)" } ?? "") + String(format: "  %.1f fps", rate)
    if let frameRate { line += String(format: "  %.2fx", rate / frameRate) }
    if let secondsLeft, !isLast { line += "  ETA \(Self.clock(secondsLeft))" }
    return line + (bytes.map { "  " + Self.size($0) } ?? "")
  }

  /// The progress as JSON.
  var json: String {
    func number(_ value: Double) -> String { String(format: "%.3f", value) }
    var fields = ["\"frames\":\(frames)", "\"fps\":\(number(rate))"]
    if let bytes { fields.append("\"size\":\(bytes)") }
    if let totalFrames { fields.append("\"total_frames\":\(totalFrames)") }
    if let frameRate { fields.append("\"speed\":\(number(rate / frameRate))") }
    if let secondsLeft { fields.append("\"eta_seconds\":\(number(secondsLeft))") }
    fields.append("\"progress\":\"\(isLast ? "end" : "continue")\"")
    return "{" + fields.joined(separator: ",") + "}"
  }

  private static func clock(_ seconds: Double) -> String {
    let whole = Int(min(seconds.rounded(), 359_999))
    return String(format: "%d:%02d:%02d", whole / 3600, whole / 60 % 60, whole % 60)
  }

  static func size(_ bytes: Int) -> String {
    bytes < 1 << 20
      ? String(format: "%.1f KiB", Double(bytes) / 1024) : String(format: "%.1f MiB", Double(bytes) / 1_048_576)
  }
}
