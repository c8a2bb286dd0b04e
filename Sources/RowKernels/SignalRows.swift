internal import SIMDShims

// Linear light to signal: a polynomial of the square root or the fourth root. A type per root, so that a row loop has no
// branch on it.

private protocol LightRoot {
  static func root(_ light: Floats) -> Floats
}

private enum SquareRoot: LightRoot {
  @inline(__always)
  static func root(_ light: Floats) -> Floats { hr_sqrt(light) }
}

private enum FourthRoot: LightRoot {
  @inline(__always)
  static func root(_ light: Floats) -> Floats { hr_sqrt(hr_sqrt(light)) }
}

/// Float rows of linear light to rows of Y', B' - Y' and R' - Y'.
func signalRow(_ p: UnsafePointer<hr_signal>, _ light: hr_float_rows, to target: hr_float_rows, count: Int) {
  if unsafe p.pointee.is_fourth_root != 0 {
    unsafe signalRow(p, FourthRoot.self, light, target, count)
  } else {
    unsafe signalRow(p, SquareRoot.self, light, target, count)
  }
}

@inline(__always)
private func signalRow<Root: LightRoot>(
  _ p: UnsafePointer<hr_signal>, _ root: Root.Type, _ light: hr_float_rows, _ target: hr_float_rows, _ count: Int
) {
  // A copy, which no store can change: constants stay where they are for the whole row.
  let p = unsafe p.pointee
  var x = 0
  while x < count {
    let rgb = unsafe LightVector(
      red: signal(hr_load_f32(light.first + x), p, root), green: signal(hr_load_f32(light.second + x), p, root),
      blue: signal(hr_load_f32(light.third + x), p, root))
    let luma = unsafe rgb.sum((p.kr, p.kg, p.kb))
    unsafe hr_store_f32(target.first + x, luma)
    unsafe hr_store_f32(target.second + x, rgb.blue - luma)
    unsafe hr_store_f32(target.third + x, rgb.red - luma)
    x &+= 16
  }
}

@inline(__always)
private func signal<Root: LightRoot>(_ light: Floats, _ p: hr_signal, _ root: Root.Type) -> Floats {
  let x = hr_min(hr_max(light, Floats()), Floats(repeating: 1))
  let z = unsafe hr_fma(root.root(x), Floats(repeating: p.gain), Floats(repeating: p.offset))
  return unsafe hr_signal_polynomial(p.polynomial, z)
}
