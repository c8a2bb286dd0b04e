internal import ImageFiles

/// Frames by their numbers, from 0, both ends included.
public struct FrameRange: Sendable, Hashable, Codable {
  /// Number of the first frame, from 0.
  public var first: Int
  /// nil is the end.
  public var last: Int?

  /// `last` is included; nil is the end.
  public init(first: Int, last: Int?) { (self.first, self.last) = (first, last) }

  /// - Throws: `Refusal` where there can be no such frames.
  func validate() throws(Refusal) {
    let largest = FileNames.largestNumber
    guard (0...largest).contains(first), (0...largest).contains(last ?? first) else {
      throw .invalid(.outOfRange(.frames, description, "0", "\(largest)"))
    }
    if let last, last < first { throw .invalid(.outOfRange(.frames, description, "\(first)-\(first)", nil)) }
  }

  private var description: String { "\(first)-" + (last.map { "\($0)" } ?? "") }
}

/// Which frames of the input are processed.
public struct FrameSelection: Sendable, Hashable, Codable {
  /// Seconds from the start of the file; nil is its first frame.
  public var start: Double?
  /// Length in seconds; nil is to the end.
  public var duration: Double?
  /// Numbers of frames.
  public var range: FrameRange?
  /// Every nth frame is taken.
  public var every = 1
  /// Seconds from the start of the file; the one frame that is shown then is taken.
  public var at: Double?

  /// Every frame.
  public init() {}

  /// Nothing is left out.
  var isWhole: Bool { start == nil && duration == nil && range == nil && every == 1 && at == nil }

  /// One frame at most is taken.
  var isSingle: Bool { at != nil || range.map { $0.last == $0.first } ?? false }

  /// Frames that are taken at most, where that is known.
  var maximumFrames: Int? {
    if at != nil { return 1 }
    guard let range, let last = range.last else { return nil }
    return (last - range.first) / every + 1
  }

  /// The part begins behind the start of the input.
  var isCut: Bool { start != nil || (range?.first ?? 0) > 0 }

  /// Seconds that are selected; nil where that is all, or is not known.
  func length(rate: Double?) -> Double? {
    if let duration { return duration }
    guard let range, let last = range.last, let rate, rate > 0 else { return nil }
    return Double(last - range.first + 1) / rate
  }

  /// Checks the values, and which of them exclude each other.
  /// - Throws: `Refusal` for values out of range and for options that are mutually exclusive.
  public func validate() throws(Refusal) {
    for (parameter, seconds) in [(Parameter.start, start), (.duration, duration), (.at, at)] {
      if let seconds { try Self.check(seconds, parameter) }
    }
    guard (1...1_000_000).contains(every) else { throw .invalid(.outOfRange(.every, "\(every)", "1", "1000000")) }
    try range?.validate()
    if range != nil, start != nil || duration != nil { throw .invalid(.exclusive(.frames, .startOrDuration)) }
    if at != nil, start != nil || duration != nil || range != nil || every != 1 {
      throw .invalid(.exclusive(.at, .otherSelection))
    }
  }

  /// - Throws: `Refusal` for what is no time.
  static func check(_ seconds: Double, _ parameter: Parameter) throws(Refusal) {
    // Longer than any film, and far from where clocks overflow.
    guard (0...1e9).contains(seconds) else {
      throw .invalid(.outOfRange(parameter, "\(seconds)", "0", "1000000000 s"))
    }
  }
}
