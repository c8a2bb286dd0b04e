internal import SIMDShims

/// Converts roots of linear light to rows of Y', B' - Y' and R' - Y'.
func signalRow(_ p: UnsafePointer<hr_signal>, _ roots: hr_float_rows, to target: hr_float_rows, count: Int) {
  // A local copy, which stores cannot alias: constants stay in registers for the whole row.
  let p = unsafe p.pointee
  var x = 0
  while x < count {
    let rgb = unsafe LightVector(
      red: signal(hr_load_f32(roots.first + x), p), green: signal(hr_load_f32(roots.second + x), p),
      blue: signal(hr_load_f32(roots.third + x), p))
    let luma = unsafe rgb.sum((p.kr, p.kg, p.kb))
    unsafe hr_store_f32(target.first + x, luma)
    unsafe hr_store_f32(target.second + x, rgb.blue - luma)
    unsafe hr_store_f32(target.third + x, rgb.red - luma)
    x &+= 16
  }
}

/// Converts roots of linear light to rows of R', G' and B'.
func componentSignalRow(
  _ p: UnsafePointer<hr_signal>, _ roots: hr_float_rows, to target: hr_float_rows, count: Int
) {
  let p = unsafe p.pointee
  var x = 0
  while x < count {
    unsafe hr_store_f32(target.first + x, signal(hr_load_f32(roots.first + x), p))
    unsafe hr_store_f32(target.second + x, signal(hr_load_f32(roots.second + x), p))
    unsafe hr_store_f32(target.third + x, signal(hr_load_f32(roots.third + x), p))
    x &+= 16
  }
}

@inline(__always)
private func signal(_ root: Floats, _ p: hr_signal) -> Floats {
  let z = unsafe hr_fma(root, Floats(repeating: p.gain), Floats(repeating: p.offset))
  return unsafe hr_signal_polynomial(p.polynomial, z)
}
