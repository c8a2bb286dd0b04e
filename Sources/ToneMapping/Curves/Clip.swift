extension ToneCurve {
  /// Absolute luminance, clipped at the display's peak.
  public static let clip = ToneCurve(
    name: "clip", summary: "absolute luminance, clipped at the display's peak"
  ) { conditions in
    .identity(displayPeak: conditions.display.peak)
  }
}
