internal import Frames

/// A placement along one axis of the picture.
struct AxisPlacement: Sendable, Hashable {
  /// Axis of the pattern along this axis: 0 horizontal, 1 vertical.
  var patternAxis: Int
  /// The pattern runs from right to left, or from bottom to top.
  var isReversed: Bool
  /// Length of the pattern along this axis, in canvas pixels.
  var length: Double
  /// Where the pattern begins, in pixels of the picture.
  var origin: Double
  /// Picture pixels per canvas pixel.
  var scale: Double

  var end: Double { origin + length * scale }

  /// The position in the picture of a pattern position.
  func place(_ position: Double) -> Double { origin + (isReversed ? length - position : position) * scale }

  /// The pattern position visible at a picture position.
  func source(of position: Double) -> Double {
    let rotated = (position - origin) / scale
    return isReversed ? length - rotated : rotated
  }

  /// The visible fraction of the pattern.
  /// - Parameter extent: Of the picture.
  func visible(_ extent: Double) -> Double {
    let seen = min(end, extent) - max(origin, 0)
    return seen > 0 ? seen / (length * scale) : 0
  }
}

extension Placement {
  /// The placement along a picture axis: 0 horizontal, 1 vertical.
  func axis(_ index: Int) -> AxisPlacement {
    let isColumn = (index == 0) != orientation.swapsAxes
    return AxisPlacement(
      patternAxis: isColumn ? 0 : 1,
      isReversed: isColumn ? orientation.reversesColumns : orientation.reversesRows,
      length: Double(isColumn ? canvas.width : canvas.height), origin: origin[index], scale: scale[index])
  }

  /// A fully visible canvas, edge to edge.
  init(filling picture: Size, canvas: Size, orientation: Orientation) {
    self.init(canvas: canvas, orientation: orientation, picture: picture)
    let rotated = rotatedCanvas
    scale = SIMD2(
      Double(picture.width) / Double(rotated.width), Double(picture.height) / Double(rotated.height))
  }

  /// Visible fractions of the pattern, horizontally and vertically.
  var visible: SIMD2<Double> {
    SIMD2(axis(0).visible(Double(picture.width)), axis(1).visible(Double(picture.height)))
  }
}
