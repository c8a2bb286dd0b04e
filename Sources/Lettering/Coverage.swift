/// Coverage of pixels by text.
public struct Coverage: Sendable, Hashable {
  /// Pixels in a row.
  public let width: Int
  /// Number of rows.
  public let height: Int
  /// 0...255, row by row.
  public let values: [UInt8]

  /// `values` holds width times height of them.
  public init(width: Int, height: Int, values: [UInt8]) {
    precondition(values.count == width * height)
    self.width = width
    self.height = height
    self.values = values
  }
}
