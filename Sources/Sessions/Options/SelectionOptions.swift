internal import ImageFiles

/// The time range of the input to process.
public enum SelectionOptions: OptionTable {
  public static let options: [RequestOption<FrameSelection>] = [
    RequestOption(
      .start, \.start, .time, "Time in the input to start at: seconds or [HH:]MM:SS[.m].", alternatives: [.frames]),
    RequestOption(
      .duration, \.duration, .time, "Length to process: seconds or [HH:]MM:SS[.m].", alternatives: [.frames]),
    RequestOption(
      .frames, \.range, .frames, "Frames to process, from 0, both ends included: A-B, A- or A.",
      excludes: [.start, .duration]),
  ]
}

/// The range of the input to process, and its frames.
public enum FrameSelectionOptions: OptionTable {
  public static let options: [RequestOption<FrameSelection>] =
    SelectionOptions.options + [
      RequestOption(.every, \.every, .count(1...1_000_000), "Take every nth frame."),
      RequestOption(
        .at, \.at, .time, "Select the one frame shown at this time: seconds or [HH:]MM:SS[.m].",
        excludes: [.start, .duration, .frames, .every]),
    ]
}

extension OptionValue where Value == Double {
  /// A time with ffmpeg's syntax, in seconds.
  package static var time: OptionValue {
    let number = OptionValue.number("time", 0...1e9, "s")
    return OptionValue(
      "time", expected: "seconds or [HH:]MM:SS[.m]", parse: { seconds($0) }, text: number.text, check: number.check)
  }

  private static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      guard let part, part >= 0, part.isFinite, index == 0 || part < 60 else { return nil }
      seconds = seconds * 60 + part
    }
    return seconds < 1e9 ? seconds : nil
  }
}

extension OptionValue where Value == FrameRange {
  fileprivate static var frames: OptionValue {
    OptionValue(
      "A-B", expected: "frames from 0, as A-B, A- or A", parse: FrameRange.init(argument:), text: \.description,
      check: { _, range throws(Refusal) in try range.validate() })
  }
}

extension FrameRange {
  /// Frames from 0, both ends included: "A-B", "A-" to the end, or "A".
  fileprivate init?(argument: String) {
    let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let first = Self.number(parts[0]) else { return nil }
    var last: Int?
    if parts.count == 1 {
      last = first
    } else if !parts[1].isEmpty {
      guard let end = Self.number(parts[1]), end >= first else { return nil }
      last = end
    }
    self.init(first: first, last: last)
  }

  /// Parses a frame number; rejects numbers beyond any stream.
  private static func number(_ text: Substring) -> Int? {
    Int(text).flatMap { (0...FileNames.largestNumber).contains($0) ? $0 : nil }
  }
}
