internal import FFmpegIO
internal import Frames

/// Which frames of the input are processed.
struct FrameSelection {
  /// Seconds from the start of the file; nil is its first frame.
  var start: Double?
  /// Length in seconds; nil is to the end.
  var duration: Double?
  /// Numbers of frames, from 0.
  var range: FrameRange?
  /// One frame of so many is taken.
  var every = 1
  /// Seconds from the start of the file; the one frame that is shown then is taken.
  var at: Double?

  init(_ options: SelectionOptions) {
    start = options.start?.seconds
    duration = options.duration?.seconds
    range = options.frames
  }

  init(_ options: FrameOutputOptions) {
    self.init(options.selection)
    every = options.every
    at = options.at?.seconds
    keepsTimes = true
  }

  /// Nothing is left out.
  var isWhole: Bool { start == nil && duration == nil && range == nil && every == 1 && at == nil }

  /// One frame at most is taken.
  var isSingle: Bool { at != nil || range.map { $0.last == $0.first } ?? false }

  /// Frames that are taken at most, where that is known.
  var mostFrames: Int? {
    if at != nil { return 1 }
    guard let range, let last = range.last else { return nil }
    return (last - range.first) / every + 1
  }

  /// Which time of the input is zero in the output.
  enum Origin {
    /// Zero: times stay as they are.
    case input
    case time(FrameTime)
    /// That of the first selected frame.
    case firstFrame
  }

  private(set) var origin = Origin.input

  /// Times are told, and nothing is played by them.
  private var keepsTimes = false

  /// The part begins behind the start of the input.
  private var isCut: Bool { start != nil || (range?.first ?? 0) > 0 }

  /// Decides where the output's time begins: with the first frame of a part; with the first presented stream of a whole
  /// input that begins later than at zero, as those of broadcasts do. Offsets between streams stay.
  /// - Parameters:
  ///   - first: The first frame that is read.
  ///   - passed: The streams beside the picture.
  ///   - copies: Times are to stay as they are.
  ///   - hidesNegative: The output could only hide pictures before zero, though the input shows them.
  mutating func setOrigin(
    first: CodedFrame, _ reader: any MediaInput, passed: [StreamCopy] = [], copies: Bool = false,
    hidesNegative: Bool = false
  ) {
    if keepsTimes { return }
    if hidesNegative, first.time.presentation < 0 {
      origin = .firstFrame
    } else if copies {
      origin = .input
    } else if isCut {
      origin = .firstFrame
    } else {
      let indices = Set(passed.lazy.filter { $0.kind == .audio || $0.kind == .video && !$0.isCover }.map(\.index))
      let starts = reader.info.streams.filter { indices.contains($0.index) }.compactMap(\.startingTime)
      let earliest = starts.reduce(first.time) { $1.seconds < $0.seconds ? $1 : $0 }
      origin = earliest.presentation > 0 ? .time(earliest) : .input
    }
  }

  /// Times of the output are not those of the input.
  var movesTimes: Bool { if case .input = origin { false } else { true } }

  /// The first selected frame is at zero.
  var beginsWithFrame: Bool { if case .firstFrame = origin { true } else { false } }

  /// Seconds of the input that are zero in the output.
  /// - Parameters:
  ///   - first: The first frame that is read.
  ///   - rate: Frames in a second.
  func originSeconds(first: CodedFrame, rate: Double?) -> Double {
    switch origin {
    case .input: return 0
    case .time(let time): return time.seconds
    case .firstFrame:
      let skipped = range.flatMap { range in rate.map { Double(range.first) / $0 } } ?? 0
      return first.time.seconds + skipped
    }
  }
}

extension StreamInfo {
  /// The time of its first packet; nil where that is not known.
  fileprivate var startingTime: FrameTime? {
    startTime.map { FrameTime(presentation: $0, duration: 0, timeBase: timeBase) }
  }
}
