internal import SIMDShims

typealias Floats = SIMD16<Float>

/// Sixteen pixels of linear light.
struct LightVector {
  var red: Floats
  var green: Floats
  var blue: Floats

  @inline(__always)
  mutating func scale(by gain: Floats) {
    red *= gain
    green *= gain
    blue *= gain
  }

  /// `component = gray + (component - gray) * gain`.
  @inline(__always)
  mutating func scale(by gain: Floats, from gray: Floats) {
    red = hr_fma(red - gray, gain, gray)
    green = hr_fma(green - gray, gain, gray)
    blue = hr_fma(blue - gray, gain, gray)
  }

  @inline(__always)
  var maximum: Floats { hr_max(red, hr_max(green, blue)) }

  @inline(__always)
  var minimum: Floats { hr_min(red, hr_min(green, blue)) }

  /// The weighted sum of the components.
  @inline(__always)
  func sum(_ weights: (Float, Float, Float)) -> Floats {
    hr_fma(
      blue, Floats(repeating: weights.2),
      hr_fma(green, Floats(repeating: weights.1), red * Floats(repeating: weights.0)))
  }
}

extension LightVector {
  /// Sixteen pixels of half-float rows.
  @inline(__always)
  init(_ rows: hr_light_rows, at x: Int) {
    unsafe self.init(
      red: hr_from_half(hr_load_f16(rows.red + x)), green: hr_from_half(hr_load_f16(rows.green + x)),
      blue: hr_from_half(hr_load_f16(rows.blue + x)))
  }
}
