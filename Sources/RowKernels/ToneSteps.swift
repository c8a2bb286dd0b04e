internal import SIMDShims

/// The step before the gamut mapping. One type per kind, so that row loops have no branch on it.
///
/// Gains come from tables, one block ahead: `prepare` computes the indices of a block, and the row loop looks them up
/// while it computes the previous block, so that look-ups overlap with arithmetic.
protocol ToneStep {
  /// Returns the table of a block's gains; nil: none.
  static func table(_ p: hr_mapping) -> UnsafePointer<Float>?
  /// Computes the indices of a block.
  /// - Parameters:
  ///   - start: First pixel of the block in the row.
  ///   - count: Number of pixels in the block.
  static func prepare(_ p: hr_mapping, _ rows: hr_light_rows, _ start: Int, _ count: Int, _ block: GainBlock)
  /// Changes `light` if a gain alone is not enough.
  /// - Returns: The gain for all components, which the gamut step applies.
  static func apply(_ p: hr_mapping, _ light: inout LightVector, _ k: Int, _ block: GainBlock) -> Floats
}

extension ToneStep {
  @inline(__always)
  static func table(_ p: hr_mapping) -> UnsafePointer<Float>? { nil }

  @inline(__always)
  static func prepare(_ p: hr_mapping, _ rows: hr_light_rows, _ start: Int, _ count: Int, _ block: GainBlock) {}

  /// Applies only the looked-up gain.
  @inline(__always)
  static func apply(_ p: hr_mapping, _ light: inout LightVector, _ k: Int, _ block: GainBlock) -> Floats {
    unsafe hr_load_f32(block.gain + k)
  }
}

/// Rows of a block of pixels.
@unsafe
struct GainBlock {
  /// The looked-up gains.
  let gain: UnsafeMutablePointer<Float>
  /// Gains of the OOTF, which are needed before the other gains can be looked up.
  let scene: UnsafeMutablePointer<Float>
  let index: UnsafeMutablePointer<UInt16>

  @inline(__always)
  init(_ block: UnsafeMutablePointer<hr_gain_block>) {
    let memory = UnsafeMutableRawPointer(block)
    let bytes = HR_GAIN_BLOCK &* MemoryLayout<Float>.stride
    unsafe gain = unsafe memory.assumingMemoryBound(to: Float.self)
    unsafe scene = unsafe (memory + bytes).assumingMemoryBound(to: Float.self)
    unsafe index = unsafe (memory + 2 &* bytes).assumingMemoryBound(to: UInt16.self)
  }
}

/// Unit conversion only.
enum ScaleStep: ToneStep {
  @inline(__always)
  static func apply(_ p: hr_mapping, _ light: inout LightVector, _ k: Int, _ block: GainBlock) -> Floats {
    Floats(repeating: unsafe p.scale)
  }
}

/// A gain from the luminance: the HLG OOTF and its inverse.
enum LuminanceGainStep: ToneStep {
  @inline(__always)
  static func table(_ p: hr_mapping) -> UnsafePointer<Float>? { unsafe p.luminance_gain }

  @inline(__always)
  static func prepare(_ p: hr_mapping, _ rows: hr_light_rows, _ start: Int, _ count: Int, _ block: GainBlock) {
    var k = 0
    while k < count {
      let luminance = unsafe LightVector(rows, at: start &+ k).sum(p.scene_luminance)
      unsafe hr_store_u16(block.index + k, hr_half_index(hr_to_half(luminance)))
      k &+= 16
    }
  }
}

extension LuminanceGainStep {
  /// Applies the OOTF's gains, for steps that build on them.
  @inline(__always)
  static func lookUpScene(_ p: hr_mapping, _ rows: hr_light_rows, _ start: Int, _ count: Int, _ block: GainBlock) {
    unsafe prepare(p, rows, start, count, block)
    var k = 0
    while k < count {
      unsafe hr_look_up(p.luminance_gain, block.index + k, block.scene + k)
      k &+= 16
    }
  }
}

/// One gain from the largest component, which is already a half float.
enum MaximumGainStep: ToneStep {
  @inline(__always)
  static func table(_ p: hr_mapping) -> UnsafePointer<Float>? { unsafe p.maximum_gain }

  @inline(__always)
  static func prepare(_ p: hr_mapping, _ rows: hr_light_rows, _ start: Int, _ count: Int, _ block: GainBlock) {
    var k = 0
    while k < count {
      let x = start &+ k
      let largest = unsafe hr_largest_half_index(
        hr_load_f16(rows.red + x), hr_load_f16(rows.green + x), hr_load_f16(rows.blue + x))
      unsafe hr_store_u16(block.index + k, largest)
      k &+= 16
    }
  }
}

/// The OOTF, then one gain from the largest component.
enum SceneMaximumGainStep: ToneStep {
  @inline(__always)
  static func table(_ p: hr_mapping) -> UnsafePointer<Float>? { unsafe p.maximum_gain }

  @inline(__always)
  static func prepare(_ p: hr_mapping, _ rows: hr_light_rows, _ start: Int, _ count: Int, _ block: GainBlock) {
    unsafe LuminanceGainStep.lookUpScene(p, rows, start, count, block)
    var k = 0
    while k < count {
      let largest = unsafe LightVector(rows, at: start &+ k).maximum * hr_load_f32(block.scene + k)
      unsafe hr_store_u16(block.index + k, hr_half_index(hr_to_half(largest)))
      k &+= 16
    }
  }

  @inline(__always)
  static func apply(_ p: hr_mapping, _ light: inout LightVector, _ k: Int, _ block: GainBlock) -> Floats {
    unsafe hr_load_f32(block.scene + k) * hr_load_f32(block.gain + k)
  }
}

/// The OOTF, then BT.2446-1 method A.
enum SceneBT2446AStep: ToneStep {
  @inline(__always)
  static func table(_ p: hr_mapping) -> UnsafePointer<Float>? { unsafe p.luminance_gain }

  @inline(__always)
  static func prepare(_ p: hr_mapping, _ rows: hr_light_rows, _ start: Int, _ count: Int, _ block: GainBlock) {
    unsafe LuminanceGainStep.prepare(p, rows, start, count, block)
  }

  @inline(__always)
  static func apply(_ p: hr_mapping, _ light: inout LightVector, _ k: Int, _ block: GainBlock) -> Floats {
    unsafe light.scale(by: hr_load_f32(block.gain + k))
    return unsafe BT2446AStep.apply(p, &light, k, block)
  }
}

/// BT.2446-1 method A: a curve for luma in gamma 2.4, and colour differences that follow it.
enum BT2446AStep: ToneStep {
  @inline(__always)
  static func apply(_ p: hr_mapping, _ light: inout LightVector, _ k: Int, _ block: GainBlock) -> Floats {
    let a = unsafe p.bt2446a
    var signal = unsafe LightVector(red: root(light.red, a), green: root(light.green, a), blue: root(light.blue, a))
    let luma = unsafe signal.sum((a.kr, a.kg, a.kb))
    let step = hr_fma(
      hr_min(hr_max(luma, Floats()), Floats(repeating: 1)), Floats(repeating: 32767), Floats(repeating: 0.5))
    let ratio = unsafe hr_gather(a.curve, hr_to_u32(step))
    // Colour differences are scaled by ratio / 1.1; luma follows the curve, less a fraction of positive C'r.
    let chroma = ratio * Floats(repeating: 1 / 1.1)
    let cr = chroma * (signal.red - luma) * Floats(repeating: unsafe a.cr_gain)
    let mapped = ratio * luma - hr_max(cr * Floats(repeating: 0.1), Floats())
    signal.scale(by: chroma, from: luma)
    let shift = mapped - luma
    unsafe light.red = power(signal.red + shift, a)
    unsafe light.green = power(signal.green + shift, a)
    unsafe light.blue = power(signal.blue + shift, a)
    return Floats(repeating: unsafe a.output_gain)
  }

  /// Converts light to signal: power 1/2.4.
  @inline(__always)
  private static func root(_ light: Floats, _ a: hr_bt2446a) -> Floats {
    let x = unsafe hr_min(hr_max(light * Floats(repeating: a.input_gain), Floats()), Floats(repeating: 1))
    let z = unsafe hr_fma(hr_sqrt(x), Floats(repeating: a.root_gain), Floats(repeating: a.root_offset))
    return unsafe hr_signal_polynomial(a.root, z)
  }

  /// Converts signal to light: power 2.4.
  @inline(__always)
  private static func power(_ signal: Floats, _ a: hr_bt2446a) -> Floats {
    let x = hr_min(hr_max(signal, Floats()), Floats(repeating: 1))
    let z = unsafe hr_fma(x, Floats(repeating: a.power_gain), Floats(repeating: a.power_offset))
    let root = unsafe hr_light_polynomial(a.power, z)
    return root * root
  }
}
