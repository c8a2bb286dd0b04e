internal import Frames

/// A rectangle in fractions of the picture's width and height, 0...1, from which layouts are built.
struct LayoutArea: Sendable, Hashable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  init(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  /// The area below the title.
  static let body = LayoutArea(0.02, 0.07, 0.98, 0.985)

  /// A part of this area, in fractions of its width and height.
  func part(_ left: Double, _ top: Double, _ right: Double, _ bottom: Double) -> LayoutArea {
    let (width, height) = (self.right - self.left, self.bottom - self.top)
    return LayoutArea(
      self.left + left * width, self.top + top * height, self.left + right * width, self.top + bottom * height)
  }

  /// Equal columns.
  /// - Parameter gap: Space between two columns, as a fraction of the pitch.
  func columns(_ count: Int, gap: Double = 0) -> [LayoutArea] {
    let pitch = 1 / (Double(count) - gap)
    return (0..<count).map { part(Double($0) * pitch, 0, (Double($0) + 1 - gap) * pitch, 1) }
  }

  /// Equal rows.
  /// - Parameter gap: Space between two rows, as a fraction of the pitch.
  func rows(_ count: Int, gap: Double = 0) -> [LayoutArea] {
    let pitch = 1 / (Double(count) - gap)
    return (0..<count).map { part(0, Double($0) * pitch, 1, (Double($0) + 1 - gap) * pitch) }
  }
}

extension PatternCanvas {
  /// The pixels of an area; neighbours share their edges.
  func area(_ part: LayoutArea) -> PictureArea { area(part.left, part.top, part.right, part.bottom) }
}
