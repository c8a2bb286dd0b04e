package import Frames

/// One value per square of `BlockMap.side` pixels; blocks at the right and bottom edges may be smaller.
package struct BlockMap: Sendable {
  /// Side length of a block in pixels.
  package static let side = 4
  /// Columns and rows of blocks.
  package let size: Size
  /// The values, row by row.
  package var values: [Float]

  /// Creates a map for a picture of `picture` pixels, with one value everywhere.
  package init(covering picture: Size, repeating value: Float = 0) {
    size = Size(
      width: (picture.width + Self.side - 1) / Self.side, height: (picture.height + Self.side - 1) / Self.side)
    values = Array(repeating: value, count: size.width * size.height)
  }

  /// The value of the block at column `x` and row `y` of blocks.
  package subscript(x: Int, y: Int) -> Float {
    get { values[y * size.width + x] }
    set { values[y * size.width + x] = newValue }
  }
}
