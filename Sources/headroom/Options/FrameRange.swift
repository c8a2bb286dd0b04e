internal import ArgumentParser
internal import ImageFiles

/// Frames from 0, both ends included: "A-B", "A-" to the end, or "A".
struct FrameRange: ExpressibleByArgument {
  var first: Int
  /// nil is the end.
  var last: Int?

  init(first: Int, last: Int?) { (self.first, self.last) = (first, last) }

  init?(argument: String) {
    let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let first = Self.number(parts[0]) else { return nil }
    self.first = first
    if parts.count == 1 {
      last = first
    } else if !parts[1].isEmpty {
      guard let end = Self.number(parts[1]), end >= first else { return nil }
      last = end
    }
  }

  /// A frame number; more than any stream has is refused.
  private static func number(_ text: Substring) -> Int? {
    Int(text).flatMap { (0...FileNames.largestNumber).contains($0) ? $0 : nil }
  }
}
