internal import SIMDShims

/// One gain from a mix of the components, limited to the display's range.
enum MixedGainStep: ToneStep {
  @inline(__always)
  static func table(_ p: hr_mapping) -> UnsafePointer<Float>? { unsafe p.mixed_gain }

  @inline(__always)
  static func prepare(_ p: hr_mapping, _ rows: hr_light_rows, _ start: Int, _ count: Int, _ block: GainBlock) {
    var k = 0
    while k < count {
      let mixed = unsafe LightVector(rows, at: start &+ k).mixed(p.mix)
      unsafe hr_store_u16(block.index + k, hr_half_index(hr_to_half(mixed)))
      k &+= 16
    }
  }

  @inline(__always)
  static func apply(_ p: hr_mapping, _ light: inout LightVector, _ k: Int, _ block: GainBlock) -> Floats {
    unsafe limited(hr_load_f32(block.gain + k), light, p.mix)
  }

  /// Returns the gain, limited so that the largest component does not exceed the limit.
  @inline(__always)
  static func limited(_ gain: Floats, _ light: LightVector, _ mix: hr_mix) -> Floats {
    // Avoids a division by zero.
    let largest = hr_max(light.maximum, Floats(repeating: 0x1p-30))
    return hr_min(gain, Floats(repeating: mix.limit) / largest)
  }
}

/// The OOTF, then one gain from a mix of the components.
enum SceneMixedGainStep: ToneStep {
  @inline(__always)
  static func table(_ p: hr_mapping) -> UnsafePointer<Float>? { unsafe p.mixed_gain }

  @inline(__always)
  static func prepare(_ p: hr_mapping, _ rows: hr_light_rows, _ start: Int, _ count: Int, _ block: GainBlock) {
    unsafe LuminanceGainStep.lookUpScene(p, rows, start, count, block)
    var k = 0
    while k < count {
      let mixed = unsafe LightVector(rows, at: start &+ k).mixed(p.mix) * hr_load_f32(block.scene + k)
      unsafe hr_store_u16(block.index + k, hr_half_index(hr_to_half(mixed)))
      k &+= 16
    }
  }

  @inline(__always)
  static func apply(_ p: hr_mapping, _ light: inout LightVector, _ k: Int, _ block: GainBlock) -> Floats {
    unsafe light.scale(by: hr_load_f32(block.scene + k))
    return unsafe MixedGainStep.limited(hr_load_f32(block.gain + k), light, p.mix)
  }
}

extension LightVector {
  /// The argument of a gain.
  @inline(__always)
  func mixed(_ mix: hr_mix) -> Floats {
    var other = self
    other.transform(by: mix.matrix)
    let extremes = hr_fma(
      other.maximum, Floats(repeating: mix.largest), other.minimum * Floats(repeating: mix.smallest))
    return sum(mix.weights) + extremes
  }
}
