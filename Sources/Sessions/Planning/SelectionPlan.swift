internal import FFmpegIO
internal import Files
public import Frames
package import Media

/// The selected part of an input, and the input time that becomes zero in the output.
public struct SelectionPlan: Sendable, Hashable, Codable {
  /// The input time that becomes zero in the output.
  public enum Origin: Sendable, Hashable, Codable {
    /// Zero: times are kept.
    case input
    /// A time of the input.
    case time(FrameTime)
    /// The time of the first selected frame.
    case firstFrame
  }

  /// The frames to process.
  public internal(set) var selection: FrameSelection
  /// The input time that becomes zero in the output.
  public private(set) var origin = Origin.input

  /// A selection that keeps times.
  package init(_ selection: FrameSelection) { self.selection = selection }

  /// Decides where output time starts: at the first frame of a partial selection, or at the earliest stream of a whole
  /// input that starts later than zero, as broadcasts do. Offsets between streams are kept.
  /// - Parameters:
  ///   - first: The first frame read.
  ///   - passed: Indices of the streams beside the picture.
  ///   - copies: Times are kept.
  ///   - hidesNegative: The output would hide pictures before zero, unlike the input.
  package init(
    _ selection: FrameSelection, first: CodedFrame, _ reader: any MediaInput, passed: [Int] = [], copies: Bool = false,
    hidesNegative: Bool = false
  ) {
    self.selection = selection
    if hidesNegative, first.time.presentation < 0 {
      origin = .firstFrame
    } else if copies {
      origin = .input
    } else if selection.skipsStart || reader is DeviceMedia {
      // A device keeps running while a run is planned.
      origin = .firstFrame
    } else {
      let streams = reader.info.streams.filter { stream in
        passed.contains(stream.index) && (stream.kind == .audio || stream.kind == .video && !stream.isCover)
      }
      let earliest = streams.compactMap(\.startingTime).reduce(first.time) { $1.seconds < $0.seconds ? $1 : $0 }
      origin = earliest.presentation > 0 ? .time(earliest) : .input
    }
  }

  /// Returns the selected frames from a later time on, with their times in the whole selection.
  /// - Parameters:
  ///   - seconds: Counted from the first selected frame.
  ///   - first: The time of the first selected frame.
  /// - Throws: An error if the input cannot seek.
  package func source(from seconds: Double, first: FrameTime, _ reader: any MediaInput) throws -> any FrameSource {
    var later = self
    // The origin remains the time of the first selected frame.
    if beginsWithFrame { later.origin = .time(first) }
    later.selection.start = (selection.start ?? 0) + seconds
    later.selection.duration = selection.duration.map { max($0 - seconds, 0) }
    try reader.seek(toSeconds: later.selection.start ?? 0)
    return SelectedMedia(reader, later)
  }

  /// Returns the input time that becomes zero in the output, given the first selected frame's; nil: times are kept.
  package func zero(_ first: FrameTime?) -> FrameTime? {
    switch origin {
    case .input: nil
    case .time(let time): time
    case .firstFrame: first
    }
  }

  /// Output times differ from input times.
  var movesTimes: Bool { if case .input = origin { false } else { true } }

  /// The first selected frame is at zero.
  var beginsWithFrame: Bool { if case .firstFrame = origin { true } else { false } }

  /// Returns the input time in seconds that is zero in the output.
  /// - Parameters:
  ///   - first: The first frame read.
  ///   - rate: Frames per second.
  func originSeconds(first: CodedFrame, rate: Double?) -> Double {
    switch origin {
    case .input: return 0
    case .time(let time): return time.seconds
    case .firstFrame:
      let skipped = selection.range.flatMap { range in rate.map { Double(range.first) / $0 } } ?? 0
      return first.time.seconds + skipped
    }
  }
}

extension FrameSelection {
  /// Returns the number of frames expected, if the container states it.
  package func expectedFrames(of reader: any MediaInput) -> Int? {
    let stream = reader.info.streams.first { $0.index == reader.video.index }
    let rate = reader.video.frameRate?.value
    let seconds = stream?.seconds ?? reader.info.duration
    let fields = rate.flatMap { rate in (stream?.video?.frameRate?.value).map { rate / $0 } } ?? 1
    guard
      var total = (stream?.frameCount).map({ Int(exactly: (Double($0) * fields).rounded()) ?? 0 })
        ?? rate.flatMap({ rate in seconds.map { Int(exactly: ($0 * rate).rounded()) ?? 0 } })
    else { return nil }
    if let range { total = min(range.last.map { $0 + 1 } ?? total, total) - range.first }
    if let rate, let start { total -= Int(start * rate) }
    if let rate, let duration { total = min(total, Int((duration * rate).rounded(.up))) }
    if at != nil { return 1 }
    return total > 0 ? (total + every - 1) / every : nil
  }

  /// Tolerance in seconds for the rounding of a typed or displayed time that denotes the start of a frame.
  package static let tolerance = 0.0005

  /// Returns whether the selection ends before the point of truncation.
  func ends(before ending: EarlyEnding) -> Bool {
    func frames(_ seconds: Double) -> Double { seconds * ending.framesPerSecond }
    let tolerance = frames(Self.tolerance)
    if let at { return (frames(at) + tolerance).rounded(.down) < Double(ending.index) }
    if let last = range?.last { return last < ending.index }
    guard let duration else { return false }
    let first = (frames(start ?? 0) - tolerance).rounded(.up)
    return Double(ending.index) - first >= frames(duration) - tolerance
  }
}

extension StreamInfo {
  /// The time of its first packet; nil if unknown.
  fileprivate var startingTime: FrameTime? {
    startTime.map { FrameTime(presentation: $0, duration: 0, timeBase: timeBase) }
  }
}
