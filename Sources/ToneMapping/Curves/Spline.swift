import ColorScience
import Glibc

extension ToneCurve {
  /// Two polynomials in PQ that meet at a pivot.
  public static let spline = ToneCurve(
    name: "spline", summary: "two polynomials in PQ that meet at an adapted mid-tone (libplacebo \"spline\")"
  ) { conditions in
    .whiteAtReference(conditions, endsAtBlack: true) { conditions in
      let curve = Spline(conditions)
      return { curve.output($0) }
    }
  }
}

/// A parabola below the pivot and a cubic above, of equal slope at the pivot, on PQ signals.
///
/// Source: libplacebo 7, `tone_mapping.c`, functions `st2094_pick_knee` and `spline` with default constants and
/// no scene average.
private struct Spline: Sendable {
  private let input: ClosedRange<Double>
  private let pivot: (input: Double, output: Double)
  private let slope: Double
  /// Second-order coefficient of the parabola; second- and third-order coefficients of the cubic.
  private let lower2: Double
  private let upper2: Double
  private let upper3: Double

  /// The pivot lies at this fraction of the content's range (`knee_default`).
  private static let pivotFraction = 0.4
  /// How far the pivot moves from absolute to relative luminance (`knee_adaptation`).
  private static let adaptation = 0.4
  /// Fractions of the display's range that the pivot stays in (`knee_minimum`, `knee_maximum`).
  private static let outputFractions = (0.1, 0.8)
  /// Exponent of the slope at the pivot (1 - `spline_contrast`).
  private static let slopeExponent = 0.5
  /// `slope_tuning`, and `slope_offset` to 1 + `slope_offset`.
  private static let slopeTuning = 1.5
  private static let slopeLimits = (0.2, 1.2)

  init(_ conditions: ToneConditions) {
    let display = conditions.display
    let (inMin, inMax) = (PQ.inverseEOTF(conditions.contentBlack), PQ.inverseEOTF(conditions.contentPeak))
    let (outMin, outMax) = (PQ.inverseEOTF(display.black), PQ.inverseEOTF(display.peak))
    let source = mix(inMin, inMax, Self.pivotFraction)
    let adapted = mix(source, mix(outMin, outMax, Self.pivotFraction), Self.adaptation)
    let target = min(
      max(adapted, mix(outMin, outMax, Self.outputFractions.0)), mix(outMin, outMax, Self.outputFractions.1))
    let below = (target - outMin) / (source - inMin)
    let above = (outMax - target) / (inMax - source)
    let tuning = min(max(Self.slopeTuning * (inMax / outMax - 1), Self.slopeLimits.0), Self.slopeLimits.1)
    // Beyond twice the mean slope below, or three times that above, a piece would not be monotonic.
    let slope = min(pow(below, Self.slopeExponent * tuning), 2 * below, 3 * above)
    input = inMin...inMax
    pivot = (source, target)
    self.slope = slope
    lower2 = (slope - below) / (source - inMin)
    let width = inMax - source
    upper2 = -1.5 * (slope - above) / width
    upper3 = 0.5 * (slope - above) / (width * width)
  }

  func output(_ nits: Double) -> Double {
    let x = min(max(PQ.inverseEOTF(nits), input.lowerBound), input.upperBound) - pivot.input
    let y = x > 0 ? ((upper3 * x + upper2) * x + slope) * x : (lower2 * x + slope) * x
    return PQ.eotf(y + pivot.output)
  }
}

private func mix(_ a: Double, _ b: Double, _ weight: Double) -> Double { a + (b - a) * weight }
