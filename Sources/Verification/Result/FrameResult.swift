/// Results about the frames of a moving pattern.
public struct FrameResult: Sendable, Hashable {
  /// A gap of missing frames.
  public struct Gap: Sendable, Hashable {
    /// Number of the last frame before the gap.
    public var after: Int
    /// Number of missing frames.
    public var count: Int

    /// `count` frames are missing after frame `after`.
    public init(after: Int, count: Int) {
      self.after = after
      self.count = count
    }
  }

  /// First frame number read.
  public var first: Int
  /// Last frame number read.
  public var last: Int
  /// Indices in the input, from 0, of frames that repeat the previous one.
  public var repeated: [Int] = []
  /// Missing frames, in input order.
  public var dropped: [Gap] = []
  /// Indices in the input of frames that are older than the previous one.
  public var reordered: [Int] = []
  /// Number of frames with an unreadable number.
  public var unreadable = 0
  /// Indices of frames that contain part of another frame.
  public var torn: [Int] = []
  /// Indices of frames blended with another frame.
  public var blended: [Int] = []

  /// Creates the result of a run of frames without faults.
  public init(first: Int, last: Int) {
    self.first = first
    self.last = last
  }

  /// Whether there are no such faults.
  public var passes: Bool {
    repeated.isEmpty && dropped.isEmpty && reordered.isEmpty && unreadable == 0 && torn.isEmpty && blended.isEmpty
  }
}
