internal import ColorScience

/// The position of a chart in a picture. In the chart's plane, centres of neighbouring patches are 1 apart, and the
/// first is at the origin.
struct ChartPlacement {
  /// From the plane of the chart to pixels.
  let toPicture: Homography
  /// From pixels to the plane of the chart.
  let toChart: Homography

  /// Half the side of the measured area: patches are 0.87 wide, and their middle half is used.
  static let measuredHalf = 0.22

  /// The plane's corners: centres of dark skin, bluish green, black and white.
  static let corners = [
    SIMD2(0.0, 0), SIMD2(Double(ColorCheckerPatch.columns - 1), 0),
    SIMD2(Double(ColorCheckerPatch.columns - 1), Double(ColorCheckerPatch.rows - 1)),
    SIMD2(0, Double(ColorCheckerPatch.rows - 1)),
  ]

  /// The centre of a patch in the plane of the chart.
  static func center(_ patch: Int) -> SIMD2<Double> {
    SIMD2(Double(patch % ColorCheckerPatch.columns), Double(patch / ColorCheckerPatch.columns))
  }

  /// - Parameter corners: Pixels of the centres of the corner patches, clockwise from dark skin.
  init(corners: [SIMD2<Double>]) throws(CalibrationError) {
    guard corners.count == 4, corners.allSatisfy({ max($0.x.magnitude, $0.y.magnitude) < 1e6 }) else { throw .corners }
    // Clockwise and convex: every corner turns to the right, in coordinates whose y points down.
    let turns = (0..<4).map { index in
      let (a, b) = (corners[(index + 1) % 4] - corners[index], corners[(index + 2) % 4] - corners[(index + 1) % 4])
      return a.x * b.y - a.y * b.x
    }
    if turns.allSatisfy({ $0 < 0 }) { throw .chartMirrored }
    guard turns.allSatisfy({ $0 > 1 }), let forth = Homography(from: Self.corners, to: corners),
      let back = Homography(from: corners, to: Self.corners)
    else { throw .corners }
    (toPicture, toChart) = (forth, back)
  }
}
