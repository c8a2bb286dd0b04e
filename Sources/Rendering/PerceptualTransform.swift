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
    private let boundary: FloatTable
    private let bend: FloatTable
    private let knee: Knee
    private let saturated: Double
    private let highlights: (start: Double, amount: Double)

    /// The direction of a hue, as (x, y) with |x| + |y| = 1.
    /// - Parameter turns: Quarter turns from the direction of -y over +x, 0...4.
    public static func direction(_ turns: Double) -> SIMD2<Double> {
      let slope = turns <= 2 ? turns - 1 : 3 - turns
      return SIMD2((1 - slope.magnitude) * (turns <= 2 ? 1 : -1), slope)
    }

    /// Quarter turns of the hue of (x, y).
    private static func turns(_ point: SIMD2<Double>) -> Double {
      let slope = point.y / max(point.x.magnitude + point.y.magnitude, .leastNormalMagnitude)
      return point.x < 0 ? 3 - slope : 1 + slope
    }

    /// For each hue, offset and slope of two lines to the next one, the larger of which is the distance. They are the same
    /// unless a corner of the gamut lies between the hues: there they meet.
    private static func lines(
      _ corners: [SIMD2<Double>], _ distance: (SIMD2<Double>) -> Double
    ) -> [SIMD4<Double>] {
      let scale = Double(HR_HUES) / 4
      let ends = (0...Int(HR_HUES)).map { distance(direction(Double($0 % Int(HR_HUES)) / scale)) }
      var lines = zip(ends, ends.dropFirst()).map { SIMD4($0, $1 - $0, $0, $1 - $0) }
      for corner in corners {
        let position = turns(corner) * scale
        let entry = Int(position)
        let part = position - Double(entry)
        guard part > 1e-6, part < 1 - 1e-6 else { continue }
        let value = distance(corner / (corner.x.magnitude + corner.y.magnitude))
        let (before, after) = ((value - ends[entry]) / part, (ends[entry + 1] - value) / (1 - part))
        lines[entry] = SIMD4(ends[entry], before, ends[entry + 1] - after, after)
      }
      return lines
    }

    /// A map from its parts.
    /// - Parameters:
    ///   - matrix: From the source's primaries to the display's.
    ///   - cones: From the source's primaries to cone responses.
    ///   - target: From cone responses to the display's primaries.
    ///   - headroom: Largest component of the display.
    ///   - corners: Points on the hues of the display's primaries.
    ///   - boundary: The distance of a point in units of that of the display's boundary, and the bend of the knee at its hue.
    ///   - knee: The knee of distances.
    ///   - saturated: Colours that the knee changes have a component below this many times their lightness.
    ///   - peak: The knee of the largest component.
    ///   - highlights: Where highlights begin, as a fraction of the headroom, and the fraction of their distance from grey
    ///     that is removed at the headroom.
    public init(
      matrix: Matrix3, cones: Matrix3, target: Matrix3, headroom: Double,
      corners: [SIMD2<Double>], boundary: (SIMD2<Double>) -> (distance: Double, bend: Double), knee: Knee,
      saturated: Double, peak: ColorTransform.Knee,
      highlights: (start: Double, amount: Double)
    ) {
      self.matrix = matrix
      self.cones = cones
      self.target = target
      self.headroom = headroom
      // One more: a hue of a whole turn is rounded to it.
      let lines = Self.lines(corners) { boundary($0).distance }
      self.boundary = FloatTable((lines + lines.prefix(1)).flatMap { line in (0..<4).map { Float(line[$0]) } })
      bend = FloatTable(
        (0...Int(HR_HUES) + 1).map { entry in
          Float(boundary(Self.direction(Double(entry % Int(HR_HUES)) / Double(HR_HUES) * 4)).bend)
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
        cones: cones.kernelMatrix, target: target.kernelMatrix, boundary: boundary.base,
        bend: bend.base, start: Float(knee.start),
        tail: Float(knee.tail), tail_bend: Float(knee.tailPerBend), saturated: Float(saturated), bright: Float(bright),
        highlight: Float(headroom * start), highlight_gain: Float(amount > 0 ? 1 / (headroom * (1 - start)) : 0),
        desaturation: Float(amount))
    }
  }
}
