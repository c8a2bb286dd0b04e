internal import Frames

extension EdgeFit {
  /// The placement that best fits the edges, by robust least squares; an axis with too few edges is unchanged.
  /// - Parameter block: Pixels per sample of the searched picture.
  func fitted(_ placement: Placement, block: Int) -> Placement {
    var result = placement
    for axis in 0..<2 {
      let place = placement.axis(axis)
      let points = matches.filter { $0.axis == axis && $0.isStrong }.map { match in
        SIMD2(place.isReversed ? place.length - match.position : match.position, match.found)
      }
      guard let line = Self.line(points, place, block: Double(block)) else { continue }
      result.origin[axis] = line.origin
      result.scale[axis] = line.scale
    }
    return result
  }

  /// Minimum number of edges for a line fit.
  private static let fewest = 6

  /// A line through positions of pattern and picture: iteratively reweighted by the residuals.
  private static func line(
    _ points: [SIMD2<Double>], _ place: AxisPlacement, block: Double
  ) -> (origin: Double, scale: Double)? {
    guard points.count >= fewest else { return nil }
    var (origin, scale) = (place.origin, place.scale)
    for round in 0..<8 {
      let tolerance = max(block * (round < 3 ? 1.5 : 0.5), 0.25)
      var sum = 0.0, mean = SIMD2<Double>.zero
      let weights = points.map { point in
        let off = (point.y - origin - scale * point.x) / tolerance
        return 1 / ((1 + off * off) * (1 + off * off))
      }
      for (point, weight) in zip(points, weights) {
        sum += weight
        mean += weight * point
      }
      guard sum > 1 else { return nil }
      mean /= sum
      var square = 0.0, product = 0.0
      for (point, weight) in zip(points, weights) {
        let off = point - mean
        square += weight * off.x * off.x
        product += weight * off.x * off.y
      }
      // Edges at a single position do not determine the scale.
      if (square / sum).squareRoot() >= 0.04 * place.length, product > 0 { scale = product / square }
      origin = mean.y - scale * mean.x
    }
    return (origin, scale)
  }

  /// Fractions of strong edges that are near, and that are inverted.
  func shares(_ placement: Placement) -> (near: Double, opposite: Double) {
    let axes = [placement.axis(0), placement.axis(1)]
    let near = matches.count { match in
      let place = axes[match.axis]
      return match.isStrong && abs(match.found - place.place(match.position)) <= 1 + 0.5 * max(place.scale, 1)
    }
    return (
      strong > 0 ? Double(near) / Double(strong) : 0,
      matches.count + opposite > 0 ? Double(opposite) / Double(matches.count + opposite) : 0
    )
  }

  /// How close strong edges are to their places, 0...1.
  func tightness(_ placement: Placement) -> Double {
    guard strong > 0 else { return 0 }
    let axes = [placement.axis(0), placement.axis(1)]
    let sum = matches.reduce(0.0) { sum, match in
      let off = match.found - axes[match.axis].place(match.position)
      return sum + (match.isStrong ? 1 / (1 + off * off) : 0)
    }
    return sum / Double(strong)
  }
}
