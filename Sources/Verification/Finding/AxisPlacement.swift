internal import Frames

/// A placement along one axis of the picture.
struct AxisPlacement: Sendable, Hashable {
  /// Axis of the pattern that lies along it: 0 across, 1 down.
  var patternAxis: Int
  /// The pattern runs from right to left, or from bottom to top.
  var isReversed: Bool
  /// Extent of the pattern along it, in pixels of the canvas.
  var length: Double
  /// Where the pattern begins, in pixels of the picture.
  var origin: Double
  /// Pixels of the picture in one of the canvas.
  var scale: Double

  var end: Double { origin + length * scale }

  /// Where a position of the pattern lies.
  func place(_ position: Double) -> Double { origin + (isReversed ? length - position : position) * scale }

  /// Which position of the pattern is seen.
  func source(of position: Double) -> Double {
    let turned = (position - origin) / scale
    return isReversed ? length - turned : turned
  }

  /// How much of the pattern can be seen.
  /// - Parameter extent: Of the picture.
  func visible(_ extent: Double) -> Double {
    let seen = min(end, extent) - max(origin, 0)
    return seen > 0 ? seen / (length * scale) : 0
  }
}

extension Placement {
  /// The placement along an axis of the picture: 0 across, 1 down.
  func axis(_ index: Int) -> AxisPlacement {
    let isColumn = (index == 0) != orientation.swapsAxes
    return AxisPlacement(
      patternAxis: isColumn ? 0 : 1,
      isReversed: isColumn ? orientation.reversesColumns : orientation.reversesRows,
      length: Double(isColumn ? canvas.width : canvas.height), origin: origin[index], scale: scale[index])
  }

  /// A canvas of which all is seen, edge to edge.
  init(filling picture: Size, canvas: Size, orientation: Orientation) {
    self.init(canvas: canvas, orientation: orientation, picture: picture)
    let turned = turnedCanvas
    scale = SIMD2(
      Double(picture.width) / Double(turned.width), Double(picture.height) / Double(turned.height))
  }

  /// Share of the pattern that can be seen across and down.
  var visible: SIMD2<Double> {
    SIMD2(axis(0).visible(Double(picture.width)), axis(1).visible(Double(picture.height)))
  }
}
