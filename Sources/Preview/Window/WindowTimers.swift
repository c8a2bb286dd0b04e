/// The scheduled work of a window.
struct WindowTimers {
  typealias Instant = ContinuousClock.Instant

  /// A status is painted with the next picture, or after this time without one.
  static let statusPatience = Duration.milliseconds(100)
  /// Minimum interval between pointer reports: about 30 per second.
  static let pointerInterval = Duration.milliseconds(33)

  /// When to paint a waiting status.
  var statusRepaint: Instant?
  /// When the next message expires.
  var messageEnd: Instant?
  private var nextPointer: Instant?
  private var isPointerPending = false
  private var attentiveUntil: Instant?

  /// After a key press, SDL is polled often: Wayland's key repeats and input-method characters don't arrive on the
  /// connection.
  mutating func keyWasPressed(now: Instant) { attentiveUntil = now + .seconds(1) }

  /// Registers a pointer movement.
  /// - Returns: Whether to report it now.
  mutating func pointerMoved(now: Instant) -> Bool {
    isPointerPending = true
    return isTimeToTellPointer(now: now)
  }

  mutating func isTimeToTellPointer(now: Instant) -> Bool {
    guard isPointerPending, nextPointer.map({ $0 <= now }) ?? true else { return false }
    isPointerPending = false
    nextPointer = now + Self.pointerInterval
    return true
  }

  /// Returns milliseconds until the next timer, at most a second.
  /// - Parameter isAsked: Whether SDL must be polled for events.
  func wait(from now: Instant, isAsked: Bool) -> Int32 {
    var limit = Duration.seconds(1)
    if isAsked { limit = .milliseconds(10) }
    if let attentiveUntil, attentiveUntil > now { limit = min(limit, .milliseconds(20)) }
    for time in [statusRepaint, messageEnd, isPointerPending ? nextPointer : nil] {
      if let time { limit = min(limit, now.duration(to: time)) }
    }
    // Rounded up: otherwise the last millisecond would be spent polling.
    let milliseconds =
      Double(limit.components.seconds) * 1e3 + Double(limit.components.attoseconds) * 1e-15
    return Int32(max(milliseconds.rounded(.up), 0))
  }
}
