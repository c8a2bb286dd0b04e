internal import ArgumentParser

/// A time as ffmpeg writes it: seconds, or [HH:]MM:SS[.m].
struct Timestamp: ExpressibleByArgument {
  /// Not negative, finite.
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
