package import Frames

/// The opacity of each pixel of a picture.
package struct AlphaPlane: Sendable {
  package let size: Size
  /// Row by row; 0 is transparent, 1 opaque.
  private var values: [Float]

  /// Transparent everywhere.
  package init(size: Size) {
    self.size = size
    values = Array(repeating: 0, count: size.width * size.height)
  }

  /// Values are 0...1; stored values are limited to this range, and NaN becomes 0.
  package subscript(x: Int, y: Int) -> Float {
    get { values[y * size.width + x] }
    set { values[y * size.width + x] = newValue > 0 ? min(newValue, 1) : 0 }
  }

  /// Whether every pixel is opaque.
  package var isOpaque: Bool { values.allSatisfy { $0 >= 1 } }

  /// Whether every pixel of a row is opaque.
  func isOpaque(row y: Int) -> Bool { values[y * size.width..<(y + 1) * size.width].allSatisfy { $0 >= 1 } }

  /// The rows of one field.
  package func field(_ field: Field) -> AlphaPlane {
    var result = AlphaPlane(size: Size(width: size.width, height: size.height / 2))
    for y in 0..<result.size.height {
      for x in 0..<size.width { result[x, y] = self[x, 2 * y + field.rawValue] }
    }
    return result
  }

  /// Copies another plane to (`x`, `y`) of this one, clipped to its area.
  package mutating func put(_ other: AlphaPlane, x: Int, y: Int) {
    for row in 0..<max(min(other.size.height, size.height - y), 0) {
      for column in 0..<max(min(other.size.width, size.width - x), 0) { self[x + column, y + row] = other[column, row] }
    }
  }
}
