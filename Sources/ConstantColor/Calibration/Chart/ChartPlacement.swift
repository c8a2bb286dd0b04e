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

/// A projective map between planes: the appearance of a flat chart in a picture.
struct Homography {
  /// Acts on homogeneous coordinates.
  private let rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  private init(_ rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)) { self.rows = rows }

  /// Fits the map from points to images by linear least squares; exact for four points.
  ///
  /// Source: Hartley and Zisserman (2004), "Multiple View Geometry", 2nd edition, 4.1, with the last element 1.
  /// - Parameters:
  ///   - points: Source positions.
  ///   - images: Target positions.
  ///   - weights: One per point; nil: equal.
  /// - Returns: nil for fewer than four points, or if they do not determine a map.
  init?(from points: [SIMD2<Double>], to images: [SIMD2<Double>], weights: [Double]? = nil) {
    guard points.count >= 4, points.count == images.count, let frame = Frame(images), let source = Frame(points) else {
      return nil
    }
    var equations = NormalEquations(count: 8)
    for (index, (point, image)) in zip(points, images).enumerated() {
      let weight = weights?[index] ?? 1
      let (p, q) = ((point - source.center) * source.scale, (image - frame.center) * frame.scale)
      equations.add([p.x, p.y, 1, 0, 0, 0, -q.x * p.x, -q.x * p.y], q.x, weight: weight)
      equations.add([0, 0, 0, p.x, p.y, 1, -q.y * p.x, -q.y * p.y], q.y, weight: weight)
    }
    guard let h = equations.solution() else { return nil }
    let inner = [SIMD3(h[0], h[1], h[2]), SIMD3(h[3], h[4], h[5]), SIMD3(h[6], h[7], 1)]
    // Undoes both normalizations.
    let shifted = inner.map { row in
      SIMD3(
        row.x * source.scale, row.y * source.scale,
        row.z - (row.x * source.center.x + row.y * source.center.y) * source.scale)
    }
    let last = shifted[2]
    rows = (shifted[0] / frame.scale + frame.center.x * last, shifted[1] / frame.scale + frame.center.y * last, last)
  }

  /// Returns the image of a point; not finite on the horizon.
  func callAsFunction(_ point: SIMD2<Double>) -> SIMD2<Double> {
    let p = SIMD3(point.x, point.y, 1)
    return SIMD2((rows.0 * p).sum(), (rows.1 * p).sum()) / (rows.2 * p).sum()
  }

  /// Returns the centroid of a projected square, which perspective separates from the projection of its centre.
  func centroid(ofSquareAt center: SIMD2<Double>, half: Double) -> SIMD2<Double> {
    let middle = self(center)
    let corners = [SIMD2(-1.0, -1), SIMD2(1, -1), SIMD2(1, 1), SIMD2(-1, 1)].map { self(center + half * $0) - middle }
    var (area, sum) = (0.0, SIMD2<Double>.zero)
    for index in 0..<4 {
      let (a, b) = (corners[index], corners[(index + 1) % 4])
      let cross = a.x * b.y - a.y * b.x
      area += cross
      sum += cross * (a + b)
    }
    return middle + sum / (3 * area)
  }

  /// Centre and scale that make the equations well conditioned.
  private struct Frame {
    var center: SIMD2<Double>
    var scale: Double

    init?(_ points: [SIMD2<Double>]) {
      let count = Double(points.count)
      center = points.reduce(.zero, +) / count
      var spread = 0.0
      for point in points { spread += ((point - center) * (point - center)).sum() }
      guard spread.isFinite, spread > 0 else { return nil }
      scale = (2 * count / spread).squareRoot()
    }
  }
}
