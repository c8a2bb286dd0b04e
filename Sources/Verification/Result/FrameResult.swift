/// The frames of a moving pattern.
public struct FrameResult: Sendable, Hashable {
  /// Frames that are missing after one.
  public struct Gap: Sendable, Hashable {
    public var after: Int
    public var count: Int

    public init(after: Int, count: Int) {
      self.after = after
      self.count = count
    }
  }

  /// Number of the first frame and the last that was read.
  public var first: Int
  public var last: Int
  /// Places in the input, from 0, of frames that repeat the one before, that come after one which lacks, or are older.
  public var repeated: [Int] = []
  public var dropped: [Gap] = []
  public var reordered: [Int] = []
  /// Frames whose number could not be read.
  public var unreadable = 0
  /// Places of frames in whose marks another frame is seen: a part of it, or through and through.
  public var torn: [Int] = []
  public var blended: [Int] = []

  public init(first: Int, last: Int) {
    self.first = first
    self.last = last
  }

  public var passes: Bool {
    repeated.isEmpty && dropped.isEmpty && reordered.isEmpty && unreadable == 0 && torn.isEmpty && blended.isEmpty
  }
}
