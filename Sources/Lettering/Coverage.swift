/// Pixel coverage of text.
public struct Coverage: Sendable, Hashable {
  /// Width in pixels.
  public let width: Int
  /// Height in pixels.
  public let height: Int
  /// 0...255, row by row.
  public let values: [UInt8]

  /// Creates coverage; `values` has width times height elements.
  public init(width: Int, height: Int, values: [UInt8]) {
    precondition(values.count == width * height)
    self.width = width
    self.height = height
    self.values = values
  }
}
