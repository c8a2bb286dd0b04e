import ColorScience
import Glibc

extension ToneCurve {
  /// Proportional light up to a knee, a Hermite roll-off in PQ above it.
  public static let bt2390 = ToneCurve(
    name: "bt2390", summary: "proportional up to a knee, Hermite roll-off in PQ (ITU-R BT.2390 EETF, 5.4)"
  ) { conditions in
    .whiteAtReference(conditions, endsAtBlack: true, isForAll: true) { conditions in
      let curve = BT2390(conditions)
      return { curve.output($0) }
    }
  }
}

/// The EETF between a mastering display and another display.
///
/// Source: ITU-R BT.2390, 5.4; BT.2408, annex 5.
private struct BT2390: Sendable {
  /// PQ signal of the content's black, and the range from black to peak.
  private let black: Double
  private let span: Double
  /// Display peak and black on the normalised scale, where the content spans 0...1.
  private let maxLum: Double
  private let minLum: Double
  /// Start of the roll-off on that scale.
  private let knee: Double
  private let liftExponent: Double

  init(_ conditions: ToneConditions) {
    let black = PQ.inverseEOTF(conditions.contentBlack)
    let span = PQ.inverseEOTF(conditions.contentPeak) - black
    self.black = black
    self.span = span
    maxLum = (PQ.inverseEOTF(conditions.display.peak) - black) / span
    minLum = max((PQ.inverseEOTF(conditions.display.black) - black) / span, 0)
    knee = max(1.5 * maxLum - 0.5, 0)
    // The standard's 4 would make the lift decrease if the display's black is above a quarter of the scale.
    liftExponent = min(1 / minLum, 4)
  }

  func output(_ nits: Double) -> Double {
    let e1 = min((PQ.inverseEOTF(nits) - black) / span, 1)
    let e2 = e1 < knee || maxLum >= 1 ? e1 : rolledOff(e1)
    // Below the content's black the lift is constant, so that the sum stays monotonic.
    let e3 = e2 + minLum * pow(1 - max(e2, 0), liftExponent)
    return PQ.eotf(e3 * span + black)
  }

  private func rolledOff(_ e1: Double) -> Double {
    let t = (e1 - knee) / (1 - knee)
    let (t2, t3) = (t * t, t * t * t)
    return (2 * t3 - 3 * t2 + 1) * knee + (t3 - 2 * t2 + t) * (1 - knee) + (-2 * t3 + 3 * t2) * maxLum
  }
}
