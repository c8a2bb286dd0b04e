/// Size of a picture or plane in samples.
public struct Size: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Columns of samples.
  public var width: Int
  /// Rows of samples.
  public var height: Int

  /// Any size; layouts and encoders determine what can be coded.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  public var description: String { "\(width)x\(height)" }
}
