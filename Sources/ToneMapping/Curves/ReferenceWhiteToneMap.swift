import Glibc

extension ToneCurve {
  /// Keeps reference white at SDR white if the headroom allows it, and compresses only highlights.
  public static let system = ToneCurve(
    name: "system", summary: "reference white tone mapping, highlights rolled off (SMPTE ST 2094-50 C.3.8)"
  ) { conditions in
    let map = ReferenceWhiteToneMap(
      baselineHeadroom: log2(conditions.contentPeak / conditions.referenceWhite),
      targetHeadroom: log2(conditions.display.headroom))
    let (white, sdrWhite) = (conditions.referenceWhite, conditions.display.sdrWhite)
    return ToneMapper(displayPeak: conditions.display.peak) { map.output($0 / white) * sdrWhite }
  }
}

/// The Reference White Tone Mapping Operator, adapted to one target headroom.
///
/// The operator defines two renditions besides the baseline (the unchanged content): one without headroom and one with
/// an intermediate headroom. The result is interpolated between the two that enclose the target.
///
/// The curve is monotonic for content up to 4000 cd/m². For brighter content on a display with little headroom the
/// standard's eight points are too few: above reference white it dips slightly (by 4.8 % from 309 to 423 cd/m², for
/// content of 10000 cd/m² and no headroom). This is kept to match other implementations.
/// Source: SMPTE ST 2094-50 (draft of 2026-02-23), C.3.8.
package struct ReferenceWhiteToneMap: Sendable {
  private let gain: HeadroomAdaptiveGain
  /// The maximum output: 2^target headroom.
  private let limit: Double

  /// Headrooms in stops that the metadata can state. Source: SMPTE ST 2094-50 (draft of 2026-02-23).
  private static let headrooms = 0.0...6

  /// - Parameters:
  ///   - baselineHeadroom: Content peak over reference white in stops; limited to 0...6.
  ///   - targetHeadroom: Display peak over SDR white in stops; not below 0.
  package init(baselineHeadroom: Double, targetHeadroom: Double) {
    let baseline = min(max(baselineHeadroom, Self.headrooms.lowerBound), Self.headrooms.upperBound)
    let target = max(targetHeadroom, 0)
    limit = exp2(target)
    guard baseline > 0 else {
      gain = HeadroomAdaptiveGain(baseline: baseline, renditions: [], target: target)
      return
    }
    let middle = Self.middleHeadroom(baseline: baseline)
    let none = GainCurve(
      baselineHeadroom: baseline, headroom: 0, white: 1 - Self.strength(baseline: baseline) / 2)
    let some = GainCurve(baselineHeadroom: baseline, headroom: middle, white: 1)
    gain = HeadroomAdaptiveGain(
      baseline: baseline,
      renditions: [.init(headroom: 0, curve: none), .init(headroom: middle, curve: some)], target: target)
  }

  /// The strength of the effect for content of this headroom: full from 1000 cd/m² over 203 cd/m² up.
  package static func strength(baseline: Double) -> Double { min(baseline / log2(1000.0 / 203), 1) }

  /// Headroom in stops of the intermediate rendition.
  package static func middleHeadroom(baseline: Double) -> Double { log2(8.0 / 3) * strength(baseline: baseline) }

  /// - Parameter input: max(R, G, B) relative to reference white, not negative.
  /// - Returns: The output relative to SDR white of the display.
  package func output(_ input: Double) -> Double { min(input * exp2(gain.stops(input)), limit) }
}

extension GainCurve {
  /// Position of the middle control point between knee and peak. Source: ST 2094-50, C.3.8.
  static let kappa = 0.65
  private static let pointCount = 8

  /// Eight points on the quadratic Bézier curve from (1, `white`) to (2^baseline, 2^headroom).
  /// - Parameters:
  ///   - baselineHeadroom: Headroom of the content in stops, above 0.
  ///   - headroom: Headroom of the rendition in stops.
  ///   - white: Output of reference white relative to SDR white.
  package init(baselineHeadroom: Double, headroom: Double, white: Double) {
    let knee = SIMD2(1, white)
    let peak = SIMD2(exp2(baselineHeadroom), exp2(headroom))
    let kappa = Self.kappa
    let middle = SIMD2(
      (1 - kappa) * knee.x + kappa * knee.x * peak.y / knee.y, (1 - kappa) * knee.y + kappa * peak.y)
    let a = knee - 2 * middle + peak
    let b = 2 * (middle - knee)
    self.init(
      points: (0..<Self.pointCount).map { index in
        let t = Double(index) / Double(Self.pointCount - 1)
        let p = (a * t + b) * t + knee
        let tangent = 2 * t * a + b
        let slope = tangent.y / tangent.x
        return Point(x: p.x, y: log2(p.y / p.x), slope: (p.x * slope - p.y) / (M_LN2 * p.x * p.y))
      })
  }
}
