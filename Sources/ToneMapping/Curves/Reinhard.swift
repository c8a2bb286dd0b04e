extension ToneCurve {
  /// A rational curve without parameters, of slope 1 at black.
  ///
  /// y = x (1 + x T / S²) / (1 + x / T) takes the content's peak S to the display's peak T; it does not depend on
  /// the unit. For T = 1 it is the extended operator with S as the luminance that becomes white.
  /// Source: Reinhard and others, "Photographic Tone Reproduction for Digital Images" (2002), equation 4; scaled to
  /// T as in Chromium's `color_transform.cc`.
  public static let reinhard = ToneCurve(
    name: "reinhard", summary: "rational curve over the whole range (Reinhard 2002, extended, scaled to the display)"
  ) { conditions in
    let (source, target) = (conditions.contentPeak, conditions.display.peak)
    guard !conditions.fitsDisplay else { return .identity(displayPeak: target) }
    let a = target / (source * source)
    return ToneMapper(displayPeak: target) { x in x * (1 + a * x) / (1 + x / target) }
  }
}
