public import Frames

/// A chapter of a file.
public struct Chapter: Sendable, Hashable, Codable {
  /// Number of the chapter in the container.
  public var id: Int64
  /// Start in units of `timeBase`.
  public var start: Int64
  /// End in units of `timeBase`.
  public var end: Int64
  /// Length of one unit in seconds.
  public var timeBase: Rational
  /// Title and other tags.
  public var tags: [String: String]

  /// Start and end are in units of `timeBase`.
  public init(id: Int64, start: Int64, end: Int64, timeBase: Rational, tags: [String: String] = [:]) {
    (self.id, self.start, self.end, self.timeBase, self.tags) = (id, start, end, timeBase, tags)
  }

  /// Start in seconds from the file's time 0.
  public var startSeconds: Double { Double(start) * timeBase.value }
  /// End in seconds from the file's time 0.
  public var endSeconds: Double { Double(end) * timeBase.value }

  /// The chapter clipped to a range of the file, in the time of that range.
  /// - Parameters:
  ///   - begin: Start of the range in seconds.
  ///   - limit: End of the range in seconds; nil: the end of the file.
  /// - Returns: nil if it lies outside the range.
  public func inside(begin: Double, end limit: Double?) -> Chapter? {
    let first = max(startSeconds, begin)
    let last = min(endSeconds, limit ?? .infinity)
    guard last > first || startSeconds == endSeconds && startSeconds >= begin else { return nil }
    func ticks(_ seconds: Double) -> Int64? {
      let value = ((seconds - begin) / timeBase.value).rounded()
      return value.isFinite ? Int64(exactly: value) : nil
    }
    guard let start = ticks(first), let end = ticks(last) else { return nil }
    var result = self
    result.start = start
    result.end = end
    return result
  }
}
