internal import CV4L2
internal import Frames
internal import Glibc

/// The capture times of frames, and the number of lost ones.
struct CaptureClock {
  /// A frame's time on the program's clocks.
  struct Arrival {
    let time: FrameTime
    let instant: ContinuousClock.Instant
    let lost: Int
  }

  private static let unit = Rational(1, 1_000_000)
  /// Maximum plausible age, in microseconds.
  private static let farthest: Int64 = 10_000_000
  /// A larger jump means that the driver has restarted its counter, not that frames were lost.
  private static let mostLost: UInt32 = 10_000

  /// Maximum number of instants to keep for frames still in the decoder.
  private static let mostInstants = 128

  private var duration: Int64 = 0
  private var first: Int64?
  private var last: Int64?
  private var lastSequence: UInt32?
  /// Frames that arrived but were unusable.
  private var unusable = 0

  private var instants: [(time: Int64, instant: ContinuousClock.Instant)] = []

  /// - Parameter rate: Frames per second; nil: unknown.
  init(rate: Rational?) { setRate(rate) }

  /// Sets the duration of the following frames.
  /// - Parameter rate: Frames per second; nil: unknown.
  mutating func setRate(_ rate: Rational?) {
    let time = rate.map { 1e6 / $0.value } ?? 0
    duration = time.isFinite && time > 0 && time < 1e15 ? Int64(time.rounded()) : 0
  }

  /// Restarts after the device: gaps in its count are not lost frames.
  mutating func begin(rate: Rational?) {
    setRate(rate)
    (lastSequence, unusable) = (nil, 0)
    instants = []
  }

  /// Keeps the capture time of a buffer until it is decoded.
  mutating func keep(_ arrival: Arrival) {
    if instants.count == Self.mostInstants { instants.removeFirst() }
    instants.append((arrival.time.presentation, arrival.instant))
  }

  /// Returns when a decoded frame was captured; this may not be the time of the last buffer.
  mutating func instant(of time: FrameTime) -> ContinuousClock.Instant? {
    instants.firstIndex { $0.time == time.presentation }.map { instants.remove(at: $0).instant }
  }

  /// Counts frames that arrived but are unusable.
  mutating func lose(_ count: Int) { unusable += count }

  /// Registers a filled buffer.
  mutating func take(_ filled: CaptureBuffers.Filled) -> Arrival {
    let now = Self.monotonic()
    // A time far from now is from another clock, or invalid.
    let captured = filled.time.flatMap { ($0 &- now).magnitude < Self.farthest.magnitude ? $0 : nil } ?? now
    let zero = first ?? captured
    first = zero
    // Times must rise, even if the driver's do not.
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
