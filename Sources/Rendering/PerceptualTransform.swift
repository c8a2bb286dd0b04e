public import ColorScience
internal import SIMDShims

extension ColorTransform {
  /// Parameters of a gamut map along lines of constant hue; `PerceptualGamut` in ToneMapping has the formulas.
  public struct Perceptual: Sendable {
    /// The knee of distances from grey, in units of the boundary's.
    public struct Knee: Sendable {
      /// Distance up to which nothing changes.
      public var start: Double
      /// Slope of the tail of a knee without bend.
      public var tail: Double
      /// What a unit of bend takes from that slope.
      public var tailPerBend: Double

      /// Distances in units of the boundary's.
      public init(start: Double, tail: Double, tailPerBend: Double) {
        self.start = start
        self.tail = tail
        self.tailPerBend = tailPerBend
      }
    }

    let matrix: Matrix3
    var headroom: Double
    let peak: ColorTransform.Knee
    private let cones: Matrix3
    private let target: Matrix3
    private let plane: (SIMD2<Double>, SIMD2<Double>)
    private let hueCount: Int
    private let hues: FloatTable
    private let knee: Knee
    private let saturated: Double
    private let highlights: (start: Double, amount: Double)

    /// The direction of a hue, as (x, y) with |x| + |y| = 1.
    /// - Parameter turns: Quarter turns from the direction of -y over +x, 0...4.
    public static func direction(_ turns: Double) -> SIMD2<Double> {
      let slope = turns <= 2 ? turns - 1 : 3 - turns
      return SIMD2((1 - slope.magnitude) * (turns <= 2 ? 1 : -1), slope)
    }

    /// Quarter turns of the hue of a point.
    private static func turns(_ point: SIMD2<Double>) -> Double {
      let slope = point.y / max(point.x.magnitude + point.y.magnitude, .leastNormalMagnitude)
      return point.x < 0 ? 3 - slope : 1 + slope
    }

    /// Rows of a matrix that takes three points around the origin to the directions of (1, 0), (0, 1) and (-1, -1). There
    /// the table has entries, so that the boundary's corners lie between none.
    private static func plane(_ corners: [SIMD2<Double>]) -> (SIMD2<Double>, SIMD2<Double>) {
      let (a, b, c) = (corners[0], corners[1], corners[2])
      let area = a.x * b.y - a.y * b.x
      let rows = (SIMD2(b.y, -b.x) / area, SIMD2(-a.y, a.x) / area)
      return (rows.0 / -(rows.0 * c).sum(), rows.1 / -(rows.1 * c).sum())
    }

    /// The number of hues at which these, in quarter turns, are nearest to entries of the table.
    private static func hueCount(_ turns: [Double]) -> Int {
      func distance(_ count: Int) -> Double {
        turns.map { ($0 * Double(count) / 4).remainder(dividingBy: 1).magnitude }.max() ?? 0
      }
      // The corners of the display's gamut are at multiples of an eighth of a turn.
      let counts = stride(from: 4096, through: 8192, by: 8).map { (count: $0, distance: distance($0)) }
      return counts.min { $0.distance < $1.distance }?.count ?? 8192
    }

    /// A map from its parts.
    /// - Parameters:
    ///   - matrix: From the source's primaries to the display's.
    ///   - cones: From the source's primaries to cone responses.
    ///   - target: From cone responses to the display's primaries.
    ///   - headroom: Largest component of the display.
    ///   - corners: Points on the hues of the display's red, blue and green primaries.
    ///   - sourceCorners: Points on the hues of the source's primaries.
    ///   - boundary: The distance of a point in units of that of the display's boundary, and the bend of the knee at its hue.
    ///   - knee: The knee of distances.
    ///   - saturated: Colours that the knee changes have a component below this many times their lightness.
    ///   - peak: The knee of the largest component.
    ///   - highlights: Where highlights begin, as a fraction of the headroom, and the fraction of their distance from grey
    ///     that is removed at the headroom.
    public init(
      matrix: Matrix3, cones: Matrix3, target: Matrix3, headroom: Double,
      corners: [SIMD2<Double>], sourceCorners: [SIMD2<Double>],
      boundary: (SIMD2<Double>) -> (distance: Double, bend: Double), knee: Knee,
      saturated: Double, peak: ColorTransform.Knee,
      highlights: (start: Double, amount: Double)
    ) {
      self.matrix = matrix
      self.cones = cones
      self.target = target
      self.headroom = headroom
      let plane = Self.plane(corners)
      self.plane = plane
      hueCount = Self.hueCount(
        sourceCorners.map { Self.turns(SIMD2((plane.0 * $0).sum(), (plane.1 * $0).sum())) })
      let area = plane.0.x * plane.1.y - plane.0.y * plane.1.x
      // A hue of a whole turn is rounded to one more, and lies between that and the next.
      hues = FloatTable(
        (0..<hueCount + 2).flatMap { [hueCount] entry in
          let point = Self.direction(Double(entry % hueCount) / Double(hueCount) * 4)
          let (distance, bend) = boundary(
            SIMD2(plane.1.y * point.x - plane.0.y * point.y, plane.0.x * point.y - plane.1.x * point.x) / area)
          return [Float(distance), Float(bend)]
        })
      self.knee = knee
      self.saturated = saturated
      self.peak = peak
      self.highlights = highlights
    }

    /// For the kernels; points into a table of this value.
    @unsafe
    var parameters: hr_perceptual {
      let (start, amount) = highlights
      let bright = headroom * (amount > 0 ? min(start, peak.start) : peak.start)
      return unsafe hr_perceptual(
        cones: cones.kernelMatrix, target: target.kernelMatrix,
        plane: (Float(plane.0.x), Float(plane.0.y), Float(plane.1.x), Float(plane.1.y)),
        hue_count: Float(hueCount), hues: hues.base,
        start: Float(knee.start), tail: Float(knee.tail), tail_bend: Float(knee.tailPerBend),
        saturated: Float(saturated), bright: Float(bright),
        highlight: Float(headroom * start), highlight_gain: Float(amount > 0 ? 1 / (headroom * (1 - start)) : 0),
        desaturation: Float(amount))
    }
  }
}
