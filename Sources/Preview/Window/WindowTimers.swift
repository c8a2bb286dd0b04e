/// What a window has to do at a time, rather than when something happens.
struct WindowTimers {
  typealias Instant = ContinuousClock.Instant

  /// A status comes with a picture that it is painted with; after this time there is none.
  static let statusPatience = Duration.milliseconds(100)
  /// Between two reports of the pointer: about 30 a second.
  static let pointerInterval = Duration.milliseconds(33)

  /// A status waits to be painted.
  var statusRepaint: Instant?
  /// The next message is over.
  var messageEnd: Instant?
  private var nextPointer: Instant?
  private var isPointerPending = false
  private var attentiveUntil: Instant?

  /// After a key, SDL is asked often: Wayland's repeated keys and the characters of input methods don't come through the connection.
  mutating func keyWasPressed(now: Instant) { attentiveUntil = now + .seconds(1) }

  /// The pointer has moved.
  /// - Returns: Whether that is to be reported now.
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

  /// Milliseconds until there is something to do, at most a second.
  /// - Parameter isAsked: Events are only found by asking for them.
  func wait(from now: Instant, isAsked: Bool) -> Int32 {
    var limit = Duration.seconds(1)
    if isAsked { limit = .milliseconds(10) }
    if let attentiveUntil, attentiveUntil > now { limit = min(limit, .milliseconds(20)) }
    for time in [statusRepaint, messageEnd, isPointerPending ? nextPointer : nil] {
      if let time { limit = min(limit, now.duration(to: time)) }
    }
    // Rounded up: otherwise the last millisecond would be spent asking.
    let milliseconds =
      Double(limit.components.seconds) * 1e3 + Double(limit.components.attoseconds) * 1e-15
    return Int32(max(milliseconds.rounded(.up), 0))
  }
}
