import ToneMapping

extension ToneCurve {
  /// Light stays as it is up to half the display's peak, and bends evenly above it.
  static let knee = ToneCurve(name: "knee", summary: "straight to half the peak, then a parabola") { conditions in
    let peak = conditions.display.peak
    guard !conditions.fitsDisplay else { return .identity(displayPeak: peak) }
    let (start, range) = (peak / 2, conditions.contentPeak - peak / 2)
    return ToneMapper(displayPeak: peak) { light in
      if light <= start { return light }
      let position = min((light - start) / range, 1)
      // Slope 1 at the start, where the parabola takes over; the content's peak ends at the display's.
      let slope = min(range / start, 2)
      return start + start * (slope * position + (1 - slope) * position * position)
    }
  }
}
