public import ArgumentParser
internal import ImageFiles
public import Sessions

/// Which part of the input is processed.
struct SelectionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Time in the input to start at: seconds or [HH:]MM:SS[.m].", valueName: "time"))
  var start: Timestamp?

  @Option(help: ArgumentHelp("Length to process: seconds or [HH:]MM:SS[.m].", valueName: "time"))
  var duration: Timestamp?

  @Option(help: ArgumentHelp("Frames to process, from 0, both ends included: A-B, A- or A.", valueName: "A-B"))
  var frames: FrameRange?

  var request: FrameSelection {
    var selection = FrameSelection()
    (selection.start, selection.duration, selection.range) = (start?.seconds, duration?.seconds, frames)
    return selection
  }

  func validate() throws { try validated { try request.validate() } }
}

extension FrameRange: ExpressibleByArgument {
  /// Frames from 0, both ends included: "A-B", "A-" to the end, or "A".
  public init?(argument: String) {
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

  /// A frame number; larger numbers than any stream has are rejected.
  private static func number(_ text: Substring) -> Int? {
    Int(text).flatMap { (0...FileNames.largestNumber).contains($0) ? $0 : nil }
  }
}

/// A time with ffmpeg's syntax: seconds, or [HH:]MM:SS[.m].
struct Timestamp: ExpressibleByArgument {
  /// Non-negative and finite.
  var seconds: Double

  init?(argument: String) {
    let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
    guard (1...3).contains(parts.count) else { return nil }
    var seconds = 0.0
    for (index, part) in parts.enumerated() {
      guard let part, part >= 0, part.isFinite, index == 0 || part < 60 else { return nil }
      seconds = seconds * 60 + part
    }
    guard seconds < 1e9 else { return nil }
    self.seconds = seconds
  }
}
