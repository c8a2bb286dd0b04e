internal import CV4L2
internal import Frames
internal import Glibc

/// When frames were captured, and how many were not.
struct CaptureClock {
  /// A frame on the clocks of the program.
  struct Arrival {
    let time: FrameTime
    let instant: ContinuousClock.Instant
    let lost: Int
  }

  private static let unit = Rational(1, 1_000_000)
  /// Microseconds.
  private static let farthest: Int64 = 10_000_000
  /// A larger jump means that the driver has started counting again, not that frames were lost.
  private static let mostLost: UInt32 = 10_000

  /// Instants that are kept at most for frames that a decoder has not finished.
  private static let mostInstants = 128

  private var duration: Int64 = 0
  private var first: Int64?
  private var last: Int64?
  private var lastSequence: UInt32?
  /// Frames that came, but could not be used.
  private var unusable = 0

  private var instants: [(time: Int64, instant: ContinuousClock.Instant)] = []

  /// - Parameter rate: Frames per second; nil: unknown.
  init(rate: Rational?) { setRate(rate) }

  /// From now on frames are shown for another time.
  /// - Parameter rate: Frames per second; nil: unknown.
  mutating func setRate(_ rate: Rational?) {
    let time = rate.map { 1e6 / $0.value } ?? 0
    duration = time.isFinite && time > 0 && time < 1e15 ? Int64(time.rounded()) : 0
  }

  /// The device has started again: what it did not count in between was not lost.
  mutating func begin(rate: Rational?) {
    setRate(rate)
    (lastSequence, unusable) = (nil, 0)
    instants = []
  }

  /// Keeps when a buffer was captured that is to be decoded.
  mutating func keep(_ arrival: Arrival) {
    if instants.count == Self.mostInstants { instants.removeFirst() }
    instants.append((arrival.time.presentation, arrival.instant))
  }

  /// When a decoded frame was captured, which may not be the one of the last buffer.
  mutating func instant(of time: FrameTime) -> ContinuousClock.Instant? {
    instants.firstIndex { $0.time == time.presentation }.map { instants.remove(at: $0).instant }
  }

  /// Frames have come that cannot be used.
  mutating func lose(_ count: Int) { unusable += count }

  /// A frame has been filled.
  mutating func take(_ filled: CaptureBuffers.Filled) -> Arrival {
    let now = Self.monotonic()
    // A time that is far from now is of another clock, or of none.
    let captured = filled.time.flatMap { ($0 &- now).magnitude < Self.farthest.magnitude ? $0 : nil } ?? now
    let zero = first ?? captured
    first = zero
    // Times rise, whatever the driver says.
    let time = max(captured - zero, last.map { $0 + 1 } ?? 0)
    last = time
    let gap = lastSequence.map { filled.sequence &- $0 } ?? 1
    lastSequence = filled.sequence
    let lost = gap > 1 && gap <= Self.mostLost ? Int(gap) - 1 : 0
    defer { unusable = 0 }
    return Arrival(
      time: FrameTime(presentation: time, duration: duration, timeBase: Self.unit),
      instant: .now - .microseconds(min(max(now - captured, 0), 60_000_000)), lost: lost + unusable)
  }

  private static func monotonic() -> Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
  }
}
