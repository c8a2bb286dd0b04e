public import SIMDShims

/// Linear light to signal: a polynomial per octave of the square root or the fourth root.
@inline(__always)
private func signal(_ half: SIMD16<Float16>, _ p: UnsafePointer<hr_signal>, isQuarticRoot: Bool) -> Floats {
  let light = unsafe hr_from_half(half) * Floats(repeating: p.pointee.gain)
  var root = hr_sqrt(hr_min(hr_max(light, Floats()), Floats(repeating: 1)))
  if isQuarticRoot { root = hr_sqrt(root) }
  return unsafe hr_octaves5(
    hr_fma(root, Floats(repeating: p.pointee.scale), Floats(repeating: p.pointee.offset)), p.pointee.octaves)
}

/// One scratch row of linear display light to rows of Y', C'b and C'r, nominally 0...1 and -0.5...0.5.
@export(interface)
public func signalRow(
  _ p: UnsafePointer<hr_signal>, red: UnsafePointer<Float16>, green: UnsafePointer<Float16>,
  blue: UnsafePointer<Float16>, y: UnsafeMutablePointer<Float>, cb: UnsafeMutablePointer<Float>,
  cr: UnsafeMutablePointer<Float>, count: Int
) {
  if unsafe p.pointee.is_quartic_root != 0 {
    unsafe signalRow(p, isQuarticRoot: true, red, green, blue, y, cb, cr, count)
  } else {
    unsafe signalRow(p, isQuarticRoot: false, red, green, blue, y, cb, cr, count)
  }
}

@inline(__always)
private func signalRow(
  _ p: UnsafePointer<hr_signal>, isQuarticRoot: Bool, _ red: UnsafePointer<Float16>,
  _ green: UnsafePointer<Float16>, _ blue: UnsafePointer<Float16>, _ y: UnsafeMutablePointer<Float>,
  _ cb: UnsafeMutablePointer<Float>, _ cr: UnsafeMutablePointer<Float>, _ count: Int
) {
  var x = 0
  while x < count {
    let rgb = unsafe LightVector(
      red: signal(hr_load_f16(red + x), p, isQuarticRoot: isQuarticRoot),
      green: signal(hr_load_f16(green + x), p, isQuarticRoot: isQuarticRoot),
      blue: signal(hr_load_f16(blue + x), p, isQuarticRoot: isQuarticRoot))
    let luma = unsafe rgb.sum((p.pointee.kr, p.pointee.kg, p.pointee.kb))
    unsafe hr_store_f32(y + x, luma)
    unsafe hr_store_f32(cb + x, (rgb.blue - luma) * Floats(repeating: p.pointee.cb_gain))
    unsafe hr_store_f32(cr + x, (rgb.red - luma) * Floats(repeating: p.pointee.cr_gain))
    x &+= 16
  }
}
