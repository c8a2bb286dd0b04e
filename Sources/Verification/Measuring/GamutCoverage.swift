internal import ColorScience

/// Gamut coverage of a set of colours, in CIE 1976 u'v'.
enum GamutCoverage {
  typealias Point = SIMD2<Double>

  /// Gamuts that are tested.
  private static let gamuts: [ColorPrimaries] = [.bt709, .displayP3, .bt2020]
  /// Minimum share of a gamut's triangle that the pattern's colours must span to represent the gamut.
  private static let minimumShown = 0.97
  /// Luminance in cd/m² below which colours have no meaningful chromaticity.
  private static let minimumLuminance = 0.05

  /// - Parameters:
  ///   - expected: Linear light in cd/m² of the expected colours.
  ///   - measured: Linear light in cd/m² of the measured colours.
  ///   - space: Primaries of both.
  /// - Returns: nil if the colours span no gamut.
  static func result(expected: [SIMD3<Double>], measured: [SIMD3<Double>], in space: RGBSpace) -> GamutResult? {
    let shown = hull(expected.compactMap { chromaticity($0, space) })
    let seen = hull(measured.compactMap { chromaticity($0, space) })
    let coverage = gamuts.compactMap { gamut -> GamutResult.Coverage? in
      guard let triangle = triangle(gamut), share(of: triangle, in: shown) >= minimumShown else { return nil }
      return GamutResult.Coverage(gamut: gamut, share: share(of: triangle, in: seen))
    }
    return coverage.isEmpty ? nil : GamutResult(coverage: coverage)
  }

  private static func chromaticity(_ nits: SIMD3<Double>, _ space: RGBSpace) -> Point? {
    let color = DisplayColor(nits: nits, in: space)
    return color.luminance > minimumLuminance ? color.chromaticity?.uniform : nil
  }

  private static func triangle(_ gamut: ColorPrimaries) -> [Point]? {
    gamut.space.map { hull([$0.red, $0.green, $0.blue].map(\.uniform)) }
  }

  private static func share(of triangle: [Point], in polygon: [Point]) -> Double {
    guard polygon.count > 2 else { return 0 }
    return area(clip(polygon, to: triangle)) / area(triangle)
  }

  /// Returns twice the signed area of the triangle a, b, c.
  private static func turn(_ a: Point, _ b: Point, _ c: Point) -> Double {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
  }

  /// Returns the convex hull, counterclockwise. Source: A. M. Andrew's monotone chain (1979).
  private static func hull(_ points: [Point]) -> [Point] {
    let points = points.sorted { $0.x < $1.x || $0.x == $1.x && $0.y < $1.y }
    func chain(_ points: [Point]) -> [Point] {
      var chain: [Point] = []
      for point in points {
        while chain.count > 1, turn(chain[chain.count - 2], chain[chain.count - 1], point) <= 0 { chain.removeLast() }
        chain.append(point)
      }
      return chain
    }
    guard points.count > 2 else { return points }
    return Array(chain(points).dropLast() + chain(points.reversed()).dropLast())
  }

  private static func area(_ polygon: [Point]) -> Double {
    var sum = 0.0
    for (index, point) in polygon.enumerated() {
      let next = polygon[(index + 1) % polygon.count]
      sum += point.x * next.y - next.x * point.y
    }
    return abs(sum) / 2
  }

  /// Clips a polygon to a convex one. Source: I. Sutherland and G. Hodgman (1974).
  private static func clip(_ polygon: [Point], to convex: [Point]) -> [Point] {
    var result = polygon
    for (index, from) in convex.enumerated() {
      let to = convex[(index + 1) % convex.count]
      let input = result
      result = []
      for (index, point) in input.enumerated() {
        let before = input[(index + input.count - 1) % input.count]
        let (inside, wasInside) = (turn(from, to, point), turn(from, to, before))
        if (inside >= 0) != (wasInside >= 0) {
          result.append(before + (point - before) * (wasInside / (wasInside - inside)))
        }
        if inside >= 0 { result.append(point) }
      }
    }
    return result
  }
}
