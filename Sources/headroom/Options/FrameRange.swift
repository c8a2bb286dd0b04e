internal import ArgumentParser

/// Frames from 0, both ends included: "A-B", "A-" to the end, or "A".
struct FrameRange: ExpressibleByArgument {
  var first: Int
  /// nil is the end.
  var last: Int?

  init?(argument: String) {
    let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let first = Int(parts[0]), first >= 0 else { return nil }
    self.first = first
    if parts.count == 1 {
      last = first
    } else if !parts[1].isEmpty {
      guard let end = Int(parts[1]), end >= first else { return nil }
      last = end
    }
  }
}
