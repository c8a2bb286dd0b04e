internal import SIMDShims

/// Converts light in the source's primaries, times a gain, to the display's. One type per kind, as for `ToneStep`.
protocol GamutStep {
  static func apply(_ p: hr_mapping, _ light: inout LightVector, _ gain: Floats)
}

/// Source and display share their primaries.
enum KeepGamutStep: GamutStep {
  @inline(__always)
  static func apply(_ p: hr_mapping, _ light: inout LightVector, _ gain: Floats) {
    light.scale(by: gain)
  }
}

/// Converts primaries; out-of-gamut colours have negative components.
enum ConvertGamutStep: GamutStep {
  @inline(__always)
  static func apply(_ p: hr_mapping, _ light: inout LightVector, _ gain: Floats) {
    unsafe light.transform(by: p.matrix)
    light.scale(by: gain)
  }
}

/// Clips each component to the display's range.
enum ClipGamutStep: GamutStep {
  @inline(__always)
  static func apply(_ p: hr_mapping, _ light: inout LightVector, _ gain: Floats) {
    unsafe light.transform(by: p.matrix)
    light.scale(by: gain)
    let highest = unsafe Floats(repeating: p.headroom)
    light.red = hr_min(hr_max(light.red, Floats()), highest)
    light.green = hr_min(hr_max(light.green, Floats()), highest)
    light.blue = hr_min(hr_max(light.blue, Floats()), highest)
  }
}

/// Rolls off saturation, then the brightness of saturated colours, to the display's range.
/// See `GamutMapping` in ToneMapping for the formulas.
enum CompressGamutStep: GamutStep {
  @inline(__always)
  static func apply(_ p: hr_mapping, _ light: inout LightVector, _ gain: Floats) {
    // Few colours are affected in most pictures; vectors without one take the short path.
    let source = light
    unsafe light.transform(by: p.matrix)
    let luminance = unsafe source.sum(p.luminance)
    let start = unsafe luminance * Floats(repeating: p.saturation.start)
    if hr_any_greater(luminance - light.minimum, start) != 0 {
      unsafe desaturate(p.saturation, source, luminance, &light)
    }
    light.scale(by: gain)
    let brightest = light.maximum
    let headroom = unsafe Floats(repeating: p.headroom)
    if unsafe hr_any_greater(brightest, headroom * Floats(repeating: p.brightness.start)) != 0 {
      let limit = hr_min(source.maximum * gain, headroom)
      let (dimmed, whole) = unsafe p.brightness.factor(value: brightest, unit: headroom, limit: limit)
      light.scale(by: dimmed / whole)
    }
  }

  /// Saturation is independent of the gain, which is applied later.
  @inline(__always)
  private static func desaturate(
    _ knee: hr_knee, _ source: LightVector, _ luminance: Floats, _ light: inout LightVector
  ) {
    // Avoids a division by a luminance of zero.
    let gray = hr_max(luminance, Floats(repeating: 0x1p-30))
    let limit = gray - hr_max(source.minimum, Floats())
    let (rolled, whole) = knee.factor(value: gray - light.minimum, unit: gray, limit: limit)
    light.scale(by: rolled / whole, from: gray)
  }
}

extension hr_knee {
  /// Returns the factor that moves `value` through the knee, as numerator and denominator. `unit` is the maximum
  /// output, and `limit`, at most `unit`, defines the maximum input: the roll-off ends at value / limit.
  ///
  /// With N, Y, D for unit, value and limit, s and c for the knee's start and span, A = Y - sN, B = Y - sD, E = B - cD
  /// and P = cNB: (sN (P + AE) + AP) / (Y (P + AE)). Below the knee, A is held at 0; if all possible values fit, E is.
  /// Either makes the factor 1.
  @inline(__always)
  func factor(value: Floats, unit: Floats, limit: Floats) -> (Floats, Floats) {
    let begin = unit * Floats(repeating: start)
    let value = hr_max(value, begin)
    let above = value - begin
    let room = hr_fma(-limit, Floats(repeating: before), value)
    let excess = hr_max(hr_fma(-limit, Floats(repeating: end), value), Floats())
    let product = room * (unit * Floats(repeating: span))
    let reach = hr_fma(above, excess, product)
    return (hr_fma(begin, reach, above * product), value * reach)
  }
}
extension LightVector {
  /// Multiplies by a matrix in row-major order.
  @inline(__always)
  mutating func transform(
    by m: (Float, Float, Float, Float, Float, Float, Float, Float, Float)
  ) {
    self = LightVector(red: sum((m.0, m.1, m.2)), green: sum((m.3, m.4, m.5)), blue: sum((m.6, m.7, m.8)))
  }
}
