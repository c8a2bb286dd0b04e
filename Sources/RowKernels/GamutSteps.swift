internal import SIMDShims

/// How light in the source's primaries comes into the display's. A type per kind, as for `ToneStep`.
protocol GamutStep {
  static func apply(_ p: UnsafePointer<hr_mapping>, _ light: inout LightVector)
}

/// Source and display share their primaries.
enum KeepGamutStep: GamutStep {
  @inline(__always)
  static func apply(_ p: UnsafePointer<hr_mapping>, _ light: inout LightVector) {}
}

/// What the display cannot show is cut off, component by component.
enum ClipGamutStep: GamutStep {
  @inline(__always)
  static func apply(_ p: UnsafePointer<hr_mapping>, _ light: inout LightVector) {
    unsafe light.transform(by: p.pointee.matrix)
    let highest = unsafe Floats(repeating: p.pointee.headroom)
    light.red = hr_min(hr_max(light.red, Floats()), highest)
    light.green = hr_min(hr_max(light.green, Floats()), highest)
    light.blue = hr_min(hr_max(light.blue, Floats()), highest)
  }
}

/// Saturation, then brightness of saturated colours, are rolled off towards what the display can show.
/// `GamutMapping` in ToneMapping has the formulas in words.
enum CompressGamutStep: GamutStep {
  @inline(__always)
  static func apply(_ p: UnsafePointer<hr_mapping>, _ light: inout LightVector) {
    let luminance = unsafe light.sum(p.pointee.luminance)
    let sourceMinimum = hr_max(light.minimum, Floats())
    let sourceMaximum = light.maximum
    unsafe light.transform(by: p.pointee.matrix)
    let saturation = unsafe knee(
      p.pointee.saturation, value: luminance - light.minimum, unit: luminance, limit: luminance - sourceMinimum)
    light.scale(by: saturation, from: luminance)
    let headroom = unsafe Floats(repeating: p.pointee.headroom)
    let brightness = unsafe knee(
      p.pointee.brightness, value: light.maximum, unit: headroom, limit: sourceMaximum)
    light.scale(by: brightness)
  }

  /// The factor that takes `value` through the knee, where `unit` is what may be reached and `limit` says how far
  /// values go: value / limit is where the roll-off must have arrived.
  ///
  /// With N, Y, D for value, unit and limit, t and k for the knee's start and span, A = N - tY and B = N - tD:
  /// (tY (kY + A) B² + kA (YB² + kAD²)) / (N (kY + A) B²), one division for the extended Reinhard form.
  @inline(__always)
  private static func knee(_ knee: hr_knee, value: Floats, unit: Floats, limit: Floats) -> Floats {
    let start = Floats(repeating: knee.start)
    let span = Floats(repeating: knee.span)
    let limit = hr_min(limit, unit)
    let above = value - start * unit
    let room = value - start * limit
    let room2 = room * room
    let reach = hr_fma(span, unit, above)
    let rolled = span * above * hr_fma(span * above, limit * limit, unit * room2)
    let factor = hr_fma(start * unit, reach * room2, rolled) / (value * reach * room2)
    // Nothing to do below the knee, nor where everything that can come fits below the ceiling.
    let needed = hr_greater(above, Floats()) & hr_greater(room, span * limit)
    return hr_select(needed, factor, Floats(repeating: 1))
  }
}

extension LightVector {
  /// Multiplies by a matrix given row by row.
  @inline(__always)
  mutating func transform(
    by m: (Float, Float, Float, Float, Float, Float, Float, Float, Float)
  ) {
    self = LightVector(red: sum((m.0, m.1, m.2)), green: sum((m.3, m.4, m.5)), blue: sum((m.6, m.7, m.8)))
  }
}
