internal import CFFmpeg
internal import Frames

/// The timestamps of an output: strictly increasing, in its time base, with the duration of every frame.
struct Timeline {
  let timeBase: AVRational
  /// Number of frames moved because their time did not increase.
  private(set) var moved = 0
  /// The maximum change in seconds of a frame's time: the time base may count frames.
  private(set) var largestShift = 0.0
  private var last: Int64?
  // Encoders of FFmpeg before 6.1 do not carry durations from frames to packets.
  private var durations: [Int64: Int64] = [:]
  /// Times of the frames in the encoder, in order.
  private var waiting: [Int64] = []
  private var first: Int64?
  private var lastShown: Int64?
  /// Times and durations of all shown frames, if kept.
  private(set) var table: PieceTimes?
  /// Offset of the first frame from the grid of the time base, in the source's clock. It is subtracted from every frame
  /// before encoding and added back to the packets: an encoder that counts frames would shift the video against the
  /// audio.
  private(set) var remainder: FrameTime?
  /// Whether the first frame determines `remainder`.
  private var isRemainderOpen = false

  /// - Parameters:
  ///   - origin: Time of the first frame of the film; nil: of the first frame here.
  ///   - keepsTimes: The container may have finer times than the encoder.
  init(timeBase: AVRational, origin: FrameTime? = nil, keepsTimes: Bool, keepsTable: Bool = false) {
    self.timeBase = timeBase
    if let origin {
      remainder = Self.remainder(of: origin, timeBase)
    } else {
      isRemainderOpen = keepsTimes
    }
    table = keepsTable ? PieceTimes() : nil
  }

  /// The time of the next frame in units of `timeBase`. A time that does not increase is moved one unit after the
  /// previous one: no frame is lost, and encoders reject equal times.
  /// - Parameter isShown: The packet is written.
  mutating func place(_ time: FrameTime, isShown: Bool = true) -> (presentation: Int64, duration: Int64) {
    if isRemainderOpen {
      remainder = Self.remainder(of: time, timeBase)
      isRemainderOpen = false
    }
    var time = time
    if let remainder, remainder.timeBase == time.timeBase {
      time.presentation = time.presentation.subtractingReportingOverflow(remainder.presentation).partialValue
    }
    var presentation = Self.rescaled(time.presentation, from: time.timeBase, to: timeBase)
    let duration = max(0, Self.rescaled(time.duration, from: time.timeBase, to: timeBase))
    if let last, presentation <= last {
      presentation = last &+ 1
      moved += 1
    }
    let shift = Double(presentation) * timeBase.rational.value - Double(time.presentation) * time.timeBase.value
    largestShift = max(largestShift, abs(shift))
    last = presentation
    durations[presentation] = duration
    if isShown {
      table?.append(presentation, duration: duration)
      lastShown = presentation
    }
    waiting.append(presentation)
    first = first ?? presentation
    return (presentation, duration)
  }

  /// Whether the frame at a time only serves as lookahead after the last written one.
  func isAhead(_ presentation: Int64) -> Bool { lastShown.map { presentation > $0 } ?? false }

  /// The duration of the frame with presentation time `presentation`; 0 if it had none.
  mutating func takeDuration(at presentation: Int64) -> Int64 { durations.removeValue(forKey: presentation) ?? 0 }

  /// The decoding time of the next packet. x265 3.5 leaves it undefined in streams shorter than its lookahead: the time
  /// of the frame at this position is used instead, early enough for two frames of reordering.
  mutating func takeDecodingTime(_ stated: Int64, presentation: Int64) -> Int64 {
    guard let first, !waiting.isEmpty else { return stated }
    let order = waiting.removeFirst()
    let step = max(waiting.first.map { $0 &- order } ?? durations[order] ?? 1, 1)
    // The first decoding time cannot be further before the first frame than the encoder's input reaches after it,
    // except for a short lookahead. An undefined value is far outside that range.
    let reach = (last ?? first).subtractingReportingOverflow(first).partialValue.addingReportingOverflow(64 &* step)
    let earliest = first.subtractingReportingOverflow(reach.partialValue).partialValue
    if stated <= presentation, stated >= earliest { return stated }
    return min(order &- 2 &* step, presentation)
  }

  /// The offset of `first` from the grid of `timeBase`.
  static func remainder(of first: FrameTime, _ timeBase: AVRational) -> FrameTime {
    guard let base = first.timeBase.native
    else { return FrameTime(presentation: 0, duration: 0, timeBase: first.timeBase) }
    let placed = av_rescale_q(rescaled(first.presentation, from: first.timeBase, to: timeBase), timeBase, base)
    return FrameTime(
      presentation: first.presentation.subtractingReportingOverflow(placed).partialValue, duration: 0,
      timeBase: first.timeBase)
  }

  private static func rescaled(_ value: Int64, from base: Rational, to timeBase: AVRational) -> Int64 {
    guard let from = base.native else { return value }
    return av_rescale_q(value, from, timeBase)
  }
}
