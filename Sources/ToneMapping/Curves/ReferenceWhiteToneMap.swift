import Glibc

extension ToneCurve {
  /// Maps reference white to SDR white if the headroom allows it, with a slope that falls smoothly from shadows to
  /// peak.
  public static let system = ToneCurve(
    name: "system", summary: "a smooth shoulder, with the headrooms of SMPTE ST 2094-50 and white at 0.47 on SDR"
  ) { ReferenceWhiteToneMap.mapper($0, .smooth) }

  /// The operator that `system` is derived from, as standardized.
  public static let st2094_50 = ToneCurve(
    name: "st2094-50", summary: "reference white tone mapping as standardized (SMPTE ST 2094-50 C.3.8)"
  ) { ReferenceWhiteToneMap.mapper($0, .standardized) }
}

/// The Reference White Tone Mapping Operator, adapted to a target headroom.
///
/// The operator defines two renditions besides the baseline (the unchanged content): one without headroom and one with
/// an intermediate headroom. The result is interpolated between the two that enclose the target.
/// Source: SMPTE ST 2094-50 (draft of 2026-02-23), C.3.8.
package struct ReferenceWhiteToneMap: Sendable {
  /// The shape of the renditions above reference white.
  package enum Shoulder: Sendable {
    /// Eight points on a Bézier curve, as standardized.
    ///
    /// The slope in log light falls abruptly at reference white and rises again. For content above 4000 cd/m² on a
    /// display with little headroom, the points are also too sparse: the output dips (by 4.8 % from 309 to 423 cd/m²,
    /// for content of 10,000 cd/m² and no headroom). This is kept for compatibility with other implementations.
    case standardized
    /// The slope in log light falls smoothly (`SmoothShoulder`).
    case smooth

    /// Valid content headrooms in stops. Metadata of the standard states at most six.
    fileprivate var headrooms: ClosedRange<Double> { self == .smooth ? 0...64 : 0...6 }

    /// Output of reference white relative to SDR white, on a display without headroom, for content of full strength.
    /// The standard uses 0.5; 0.47 is closer to grades (decision 0032).
    private var whiteAtFullStrength: Double { self == .smooth ? 0.47 : 0.5 }

    /// Returns the output of reference white for content of any headroom.
    func white(baseline: Double) -> Double {
      1 - (1 - whiteAtFullStrength) * ReferenceWhiteToneMap.strength(baseline: baseline)
    }

    fileprivate func curve(baseline: Double, headroom: Double, white: Double) -> any StopsCurve {
      switch self {
      case .standardized: GainCurve(baselineHeadroom: baseline, headroom: headroom, white: white)
      case .smooth: SmoothShoulder(baseline: baseline, headroom: headroom, white: white)
      }
    }
  }

  private let gain: HeadroomAdaptiveGain
  /// The maximum output: 2^target headroom.
  private let limit: Double

  /// - Parameters:
  ///   - baselineHeadroom: Content peak over reference white in stops; limited to the range of the shoulder.
  ///   - targetHeadroom: Display peak over SDR white in stops; at least 0.
  ///   - shoulder: The shape of the renditions.
  package init(baselineHeadroom: Double, targetHeadroom: Double, _ shoulder: Shoulder) {
    let baseline = min(max(baselineHeadroom, shoulder.headrooms.lowerBound), shoulder.headrooms.upperBound)
    let target = max(targetHeadroom, 0)
    limit = exp2(target)
    var renditions: [HeadroomAdaptiveGain.Rendition] = []
    if baseline > 0 {
      for (headroom, white) in [(0, shoulder.white(baseline: baseline)), (Self.middleHeadroom(baseline: baseline), 1)] {
        renditions.append(
          .init(headroom: headroom, curve: shoulder.curve(baseline: baseline, headroom: headroom, white: white)))
      }
    }
    gain = HeadroomAdaptiveGain(baseline: baseline, renditions: renditions, target: target)
  }

  fileprivate static func mapper(_ conditions: ToneConditions, _ shoulder: Shoulder) -> ToneMapper {
    let map = ReferenceWhiteToneMap(
      baselineHeadroom: log2(conditions.contentPeak / conditions.referenceWhite),
      targetHeadroom: log2(conditions.display.headroom), shoulder)
    let (white, sdrWhite) = (conditions.referenceWhite, conditions.display.sdrWhite)
    return ToneMapper(displayPeak: conditions.display.peak, uncompressedGain: sdrWhite / white) {
      map.output($0 / white) * sdrWhite
    }
  }

  /// Returns the strength of the effect for a content headroom: full from 1000 cd/m² over 203 cd/m².
  package static func strength(baseline: Double) -> Double {
    min(baseline / log2(1000 / ToneConditions.defaultReferenceWhite), 1)
  }

  /// Returns the headroom in stops of the intermediate rendition.
  package static func middleHeadroom(baseline: Double) -> Double { log2(8.0 / 3) * strength(baseline: baseline) }

  /// - Parameter input: max(R, G, B) relative to reference white, at least 0.
  /// - Returns: The output relative to SDR white of the display.
  package func output(_ input: Double) -> Double { min(input * exp2(gain.stops(input)), limit) }
}

extension GainCurve {
  /// Position of the middle control point between knee and peak. Source: ST 2094-50, C.3.8.
  private static let kappa = 0.65
  private static let pointCount = 8

  /// Computes eight points on the quadratic Bézier curve from (1, `white`) to (2^baseline, 2^headroom).
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
