extension ToneCurve {
  /// A film-like curve with a toe and a shoulder.
  ///
  /// Light is relative to the display's peak, and the curve is scaled to map the content's peak to it.
  /// Source: J. Hable, "Uncharted 2: HDR Lighting", GDC 2010.
  public static let hable = ToneCurve(
    name: "hable", summary: "film-like curve with toe and shoulder (Hable 2010)"
  ) { conditions in
    .whiteAtReference(conditions) { conditions in
      let peak = conditions.display.peak
      let scale = peak / filmic(conditions.contentPeak / peak)
      return { filmic($0 / peak) * scale }
    }
  }
}

/// Shoulder strength 0.15, linear strength 0.5, linear angle 0.1, toe strength 0.2, toe numerator 0.02 and
/// denominator 0.3, as in the talk.
private func filmic(_ x: Double) -> Double {
  let (a, b, c, d, e, f) = (0.15, 0.50, 0.10, 0.20, 0.02, 0.30)
  return (x * (a * x + c * b) + d * e) / (x * (a * x + b) + d * f) - e / f
}
