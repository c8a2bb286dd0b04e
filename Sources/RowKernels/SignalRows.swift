public import SIMDShims

/// Float rows of linear light to rows of Y', C'b and C'r, nominally 0...1 and -0.5...0.5.
@export(interface)
public func signalRow(
  _ p: UnsafePointer<hr_signal>, red: UnsafePointer<Float>, green: UnsafePointer<Float>, blue: UnsafePointer<Float>,
  y: UnsafeMutablePointer<Float>, cb: UnsafeMutablePointer<Float>, cr: UnsafeMutablePointer<Float>, count: Int
) {
  let isQuarticRoot = unsafe p.pointee.is_quartic_root != 0
  if isQuarticRoot {
    unsafe signalRow(p, isQuarticRoot: true, red, green, blue, y, cb, cr, count)
  } else {
    unsafe signalRow(p, isQuarticRoot: false, red, green, blue, y, cb, cr, count)
  }
}

@inline(__always)
private func signalRow(
  _ p: UnsafePointer<hr_signal>, isQuarticRoot: Bool, _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>,
  _ blue: UnsafePointer<Float>, _ y: UnsafeMutablePointer<Float>, _ cb: UnsafeMutablePointer<Float>,
  _ cr: UnsafeMutablePointer<Float>, _ count: Int
) {
  var x = 0
  while x < count {
    let rgb = unsafe LightVector(
      red: signal(hr_load_f32(red + x), p, isQuarticRoot: isQuarticRoot),
      green: signal(hr_load_f32(green + x), p, isQuarticRoot: isQuarticRoot),
      blue: signal(hr_load_f32(blue + x), p, isQuarticRoot: isQuarticRoot))
    let luma = unsafe rgb.sum((p.pointee.kr, p.pointee.kg, p.pointee.kb))
    unsafe hr_store_f32(y + x, luma)
    unsafe hr_store_f32(cb + x, (rgb.blue - luma) * Floats(repeating: p.pointee.cb_gain))
    unsafe hr_store_f32(cr + x, (rgb.red - luma) * Floats(repeating: p.pointee.cr_gain))
    x &+= 16
  }
}

/// Linear light to signal: a polynomial per octave of the square root or the fourth root.
@inline(__always)
private func signal(_ light: Floats, _ p: UnsafePointer<hr_signal>, isQuarticRoot: Bool) -> Floats {
  let x = unsafe hr_min(hr_max(light * Floats(repeating: p.pointee.gain), Floats()), Floats(repeating: 1))
  let root = isQuarticRoot ? hr_sqrt(hr_sqrt(x)) : hr_sqrt(x)
  return unsafe hr_octaves5(
    hr_fma(root, Floats(repeating: p.pointee.scale), Floats(repeating: p.pointee.offset)), p.pointee.octaves)
}
