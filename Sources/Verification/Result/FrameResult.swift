/// The frames of a moving pattern.
public struct FrameResult: Sendable, Hashable {
  /// Frames that are missing after one.
  public struct Gap: Sendable, Hashable {
    /// Number of the last frame before the gap.
    public var after: Int
    /// Frames that are missing.
    public var count: Int

    /// `count` frames are missing after frame `after`.
    public init(after: Int, count: Int) {
      self.after = after
      self.count = count
    }
  }

  /// Number of the first frame that was read.
  public var first: Int
  /// Number of the last frame that was read.
  public var last: Int
  /// Places in the input, from 0, of frames that repeat the one before.
  public var repeated: [Int] = []
  /// Frames that are missing, in the order of the input.
  public var dropped: [Gap] = []
  /// Places in the input of frames that are older than the one before.
  public var reordered: [Int] = []
  /// Frames whose number could not be read.
  public var unreadable = 0
  /// Places of frames in which a part of another frame is seen.
  public var torn: [Int] = []
  /// Places of frames that another frame shows through.
  public var blended: [Int] = []

  /// A run of frames without a fault.
  public init(first: Int, last: Int) {
    self.first = first
    self.last = last
  }

  /// Nothing of the above is found.
  public var passes: Bool {
    repeated.isEmpty && dropped.isEmpty && reordered.isEmpty && unreadable == 0 && torn.isEmpty && blended.isEmpty
  }
}
