internal import SIMDShims

/// Keeps small components above 0 with a soft floor, clips at the display's peak, and desaturates highlights.
/// See `PerceptualGamut` in ToneMapping for the formulas.
enum PerceptualGamutStep: GamutStep {
  @inline(__always)
  static func apply(_ p: hr_mapping, _ light: inout LightVector, _ gain: Floats) {
    let m = unsafe p.perceptual
    let source = light.maximum
    unsafe light.transform(by: p.matrix)
    let largest = hr_max(light.maximum, Floats())
    // Few colours are affected in most pictures; vectors without one take the short path.
    if hr_any_greater(largest * Floats(repeating: m.highest_floor), light.minimum) != 0 {
      light.red = softened(light.red, largest * Floats(repeating: m.floors.0))
      light.green = softened(light.green, largest * Floats(repeating: m.floors.1))
      light.blue = softened(light.blue, largest * Floats(repeating: m.floors.2))
    }
    light.scale(by: gain)
    let brightest = source * gain
    guard hr_any_greater(hr_max(brightest, largest * gain), Floats(repeating: m.changed_from)) != 0 else { return }
    let headroom = unsafe Floats(repeating: p.headroom)
    let top = hr_min(largest * gain, headroom)
    let above = hr_max(hr_min(brightest, headroom) - Floats(repeating: m.highlight_start), Floats())
    let share = above * Floats(repeating: m.highlight_scale)
    let square = share * share
    let (least, slope) = (square * Floats(repeating: m.least_way), square * Floats(repeating: m.way_gain))
    light.red = moved(hr_min(light.red, headroom), to: top, least, slope)
    light.green = moved(hr_min(light.green, headroom), to: top, least, slope)
    light.blue = moved(hr_min(light.blue, headroom), to: top, least, slope)
  }

  @inline(__always)
  private static func moved(_ component: Floats, to top: Floats, _ least: Floats, _ slope: Floats) -> Floats {
    let distance = top - component
    return hr_fma(distance, hr_fma(component * (distance + top), slope, least), component)
  }

  /// Returns a component above the floor unchanged; below it, a hyperbola towards 0 that continues with the same slope.
  @inline(__always)
  private static func softened(_ component: Floats, _ floor: Floats) -> Floats {
    let distance = floor + floor - hr_min(component, floor)
    // Avoids a division by zero.
    let soft = floor * floor / hr_max(distance, Floats(repeating: 0x1p-60))
    return hr_select_negative(component - floor, soft, component)
  }
}
