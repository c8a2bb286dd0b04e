internal import SIMDShims

/// What is done to the light before its gamut is mapped. A type per kind, so that a row loop has no branch on it.
protocol ToneStep {
  static func apply(_ p: UnsafePointer<hr_mapping>, _ light: inout LightVector)
}

/// Unit conversion alone.
enum ScaleStep: ToneStep {
  @inline(__always)
  static func apply(_ p: UnsafePointer<hr_mapping>, _ light: inout LightVector) {
    unsafe light.scale(by: Floats(repeating: p.pointee.scale))
  }
}

/// A gain from the luminance: the HLG OOTF and its inverse.
enum LuminanceGainStep: ToneStep {
  @inline(__always)
  static func apply(_ p: UnsafePointer<hr_mapping>, _ light: inout LightVector) {
    let luminance = unsafe light.sum(p.pointee.scene_luminance)
    unsafe light.scale(by: hr_evaluate(p.pointee.luminance_gain, luminance))
  }
}

/// One gain from the largest component.
enum MaximumGainStep: ToneStep {
  @inline(__always)
  static func apply(_ p: UnsafePointer<hr_mapping>, _ light: inout LightVector) {
    unsafe light.scale(by: hr_evaluate(p.pointee.maximum_gain, light.maximum))
  }
}

/// The OOTF, then `Next`.
enum SceneStep<Next: ToneStep>: ToneStep {
  @inline(__always)
  static func apply(_ p: UnsafePointer<hr_mapping>, _ light: inout LightVector) {
    unsafe LuminanceGainStep.apply(p, &light)
    unsafe Next.apply(p, &light)
  }
}

/// BT.2446-1 method A: a curve for luma in gamma 2.4, and colour differences that follow it.
enum BT2446AStep: ToneStep {
  @inline(__always)
  static func apply(_ p: UnsafePointer<hr_mapping>, _ light: inout LightVector) {
    let a = unsafe p.pointee.bt2446a
    var signal = unsafe LightVector(red: root(light.red, a), green: root(light.green, a), blue: root(light.blue, a))
    let luma = unsafe signal.sum((a.kr, a.kg, a.kb))
    let ratio = unsafe hr_evaluate(a.curve, luma)
    // Colour differences shrink by ratio / 1.1; luma follows the curve, less a part of a positive C'r.
    let chroma = ratio * Floats(repeating: 1 / 1.1)
    let cr = chroma * (signal.red - luma) * Floats(repeating: unsafe a.cr_gain)
    let mapped = ratio * luma - hr_max(cr * Floats(repeating: 0.1), Floats())
    signal.scale(by: chroma, from: luma)
    let shift = mapped - luma
    unsafe light.red = power(signal.red + shift, a)
    unsafe light.green = power(signal.green + shift, a)
    unsafe light.blue = power(signal.blue + shift, a)
    unsafe light.scale(by: Floats(repeating: a.output_gain))
  }

  /// Light to signal: power 1/2.4.
  @inline(__always)
  private static func root(_ light: Floats, _ a: hr_bt2446a) -> Floats {
    let x = unsafe hr_min(hr_max(light * Floats(repeating: a.input_gain), Floats()), Floats(repeating: 1))
    let z = unsafe hr_fma(hr_sqrt(x), Floats(repeating: a.root_gain), Floats(repeating: a.root_offset))
    return unsafe hr_octaves5(z, a.root_octaves)
  }

  /// Signal to light: power 2.4.
  @inline(__always)
  private static func power(_ signal: Floats, _ a: hr_bt2446a) -> Floats {
    let x = hr_min(hr_max(signal, Floats()), Floats(repeating: 1))
    let z = unsafe hr_fma(x, Floats(repeating: a.power_gain), Floats(repeating: a.power_offset))
    let p = unsafe hr_octaves5(z, a.power_octaves)
    return (p * p) * (p * p)
  }
}
