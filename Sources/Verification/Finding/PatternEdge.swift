/// A step of a pattern's signal along a row or a column.
struct PatternEdge: Sendable {
  /// 0: a vertical edge, met along a row; 1: a horizontal one, met along a column.
  var axis: Int
  /// Where along the row or column, in pixels of the canvas: the border between two pixels.
  var position: Double
  /// Which row or column: its centre.
  var across: Double
  /// Luma after the step less luma before it, as the input should have it.
  var step: Float
  /// Pixels without another step on both sides.
  var clear: Double
}

extension PatternEdge {
  /// Minimum luma step of an edge: two 8-bit codes.
  static let minimumStep: Float = 0.008

  /// The edges along a row or column.
  /// - Parameters:
  ///   - signals: Y', Cb and Cr along it.
  ///   - across: Centre of the row or column.
  static func edges(_ signals: [SIMD3<Float>], axis: Int, across: Double) -> [PatternEdge] {
    var places: [Int] = []
    for x in signals.indices.dropFirst() {
      let difference = signals[x] - signals[x - 1]
      if max(abs(difference.x), max(abs(difference.y), abs(difference.z))) >= minimumStep { places.append(x) }
    }
    return places.indices.compactMap { index in
      let place = places[index]
      let step = signals[place].x - signals[place - 1].x
      guard abs(step) >= minimumStep else { return nil }
      let before = index > 0 ? places[index - 1] : 0
      let after = index + 1 < places.count ? places[index + 1] : signals.count
      return PatternEdge(
        axis: axis, position: Double(place), across: across, step: step,
        clear: Double(min(place - before, after - place)))
    }
  }
}
