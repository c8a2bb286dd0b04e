internal import ImageFiles

/// A range of frame numbers, from 0, both ends included.
public struct FrameRange: Sendable, Hashable, Codable {
  /// Number of the first frame, from 0.
  public var first: Int
  /// nil: to the end.
  public var last: Int?

  /// A range that includes `last`; nil: to the end.
  public init(first: Int, last: Int?) { (self.first, self.last) = (first, last) }

  /// - Throws: `Refusal` for an impossible range.
  func validate() throws(Refusal) {
    let largest = FileNames.largestNumber
    guard (0...largest).contains(first), (0...largest).contains(last ?? first) else {
      throw .invalid(.outOfRange(.frames, description, "0", "\(largest)"))
    }
    if let last, last < first { throw .invalid(.outOfRange(.frames, description, "\(first)-\(first)", nil)) }
  }

  var description: String { "\(first)-" + (last.map { "\($0)" } ?? "") }
}

/// The frames of the input to process.
public struct FrameSelection: DefaultedRequest, Hashable, Codable {
  /// Seconds from the start of the file; nil: from its first frame.
  public var start: Double?
  /// Length in seconds; nil: to the end.
  public var duration: Double?
  /// Frame numbers.
  public var range: FrameRange?
  /// Selects every nth frame.
  public var every = 1
  /// Seconds from the start of the file: selects only the frame shown at this time.
  public var at: Double?

  public static let defaults = FrameSelection()

  /// Every frame.
  public init() {}

  /// All frames are selected.
  package var isWhole: Bool { start == nil && duration == nil && range == nil && every == 1 && at == nil }

  /// At most one frame is selected.
  var isSingle: Bool { at != nil || range.map { $0.last == $0.first } ?? false }

  /// Maximum number of selected frames, if known.
  var maximumFrames: Int? {
    if at != nil { return 1 }
    guard let range, let last = range.last else { return nil }
    return (last - range.first) / every + 1
  }

  /// The selection begins after the start of the input.
  var skipsStart: Bool { start != nil || (range?.first ?? 0) > 0 }

  /// Returns the selected seconds; nil if everything is selected, or the length is unknown.
  func length(rate: Double?) -> Double? {
    if let duration { return duration }
    guard let range, let last = range.last, let rate, rate > 0 else { return nil }
    return Double(last - range.first + 1) / rate
  }

  /// Checks the values and their combinations.
  /// - Throws: `Refusal` for values out of range and for options that are mutually exclusive.
  public func validate() throws(Refusal) {
    try FrameSelectionOptions.check(self)
  }
}
