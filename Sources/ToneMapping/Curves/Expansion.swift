import Glibc

extension ToneMapper {
  /// Expands SDR to the range of a display: the inverse of `ToneCurve.system` for content that has the display's peak,
  /// on a display without headroom.
  ///
  /// Diffuse white, which the curve lowers to make room for highlights, returns to reference white.
  /// - Parameters:
  ///   - display: The display; in the content, 1 is SDR white.
  ///   - referenceWhite: Luminance of diffuse white in cd/m².
  static func expansion(to display: Display, referenceWhite: Double) -> ToneMapper {
    let peak = display.peak / referenceWhite
    guard peak > 1 else { return ToneMapper(displayPeak: display.peak) { referenceWhite * $0 / display.sdrWhite } }
    let headroom = log2(peak)
    let curve = SmoothShoulder(
      baseline: headroom, headroom: 0, white: ReferenceWhiteToneMap.Shoulder.smooth.white(baseline: headroom))
    return ToneMapper(displayPeak: display.peak) { nits in
      let signal = nits / display.sdrWhite
      guard signal < 1 else { return display.peak }
      return referenceWhite * (signal > 0 ? curve.input(for: signal) : 0)
    }
  }
}
