import Glibc

extension ToneMapper {
  /// Expands SDR to the range of a display: the inverse of `ToneCurve.system` for content of the display's peak on a display
  /// without headroom. What that curve brought to SDR comes back.
  ///
  /// Diffuse white, which the curve lowers to make room for highlights, is at the reference white again. The Bézier curve
  /// above it is the one that the curve's eight points lie on.
  /// Source: SMPTE ST 2094-50 (draft of 2026-02-23), C.3.8, solved for the input.
  /// - Parameters:
  ///   - display: The display; content of 1 is at its SDR white before the expansion.
  ///   - referenceWhite: Luminance of diffuse white in cd/m².
  static func expansion(to display: Display, referenceWhite: Double) -> ToneMapper {
    let peak = max(display.peak / referenceWhite, 1)
    let strength = ReferenceWhiteToneMap.strength(baseline: log2(peak))
    let knee = 1 - strength / 2
    let slope = 2 * GainCurve.kappa
    let bend = slope * (1 / knee - 1)
    return ToneMapper(displayPeak: display.peak) { nits in
      let signal = nits / display.sdrWhite
      // Below the knee, and for a display without headroom, the curve is a straight line.
      guard signal > knee else { return referenceWhite * signal / knee }
      guard signal < 1 else { return peak * referenceWhite * signal }
      let u = (signal - knee) / (1 - knee)
      let t = 2 * u / (slope + (slope * slope - 4 * (slope - 1) * u).squareRoot())
      return referenceWhite * (1 + bend * t + (peak - 1 - bend) * t * t)
    }
  }
}
