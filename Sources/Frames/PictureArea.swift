/// A rectangle of a picture, in pixels from its top left.
public struct PictureArea: Sendable, Hashable, Codable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int

  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  /// The whole of a picture.
  public init(_ size: Size) { self.init(x: 0, y: 0, width: size.width, height: size.height) }

  /// The column and the row after the last.
  public var maxX: Int { x + width }
  public var maxY: Int { y + height }

  public var isEmpty: Bool { width <= 0 || height <= 0 }

  /// What two areas share; empty where that is nothing.
  public func intersection(_ other: PictureArea) -> PictureArea {
    let (left, top) = (max(x, other.x), max(y, other.y))
    return PictureArea(
      x: left, y: top, width: max(min(maxX, other.maxX) - left, 0), height: max(min(maxY, other.maxY) - top, 0))
  }

  /// The area without a frame of so many pixels.
  public func inset(_ columns: Int, _ rows: Int) -> PictureArea {
    PictureArea(x: x + columns, y: y + rows, width: width - 2 * columns, height: height - 2 * rows)
  }

  public func contains(x column: Int, y row: Int) -> Bool {
    column >= x && column < maxX && row >= y && row < maxY
  }
}
