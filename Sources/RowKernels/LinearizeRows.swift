internal import SIMDShims

// Signals to linear light: the square or fourth power of a polynomial. One type per power, so that row loops have no
// branch on it.

private protocol LightPower {
  static func light(_ root: Floats) -> Floats
}

private enum SquarePower: LightPower {
  @inline(__always)
  static func light(_ root: Floats) -> Floats { root * root }
}

private enum FourthPower: LightPower {
  @inline(__always)
  static func light(_ root: Floats) -> Floats {
    let square = root * root
    return square * square
  }
}

@inline(__always)
private func linearLight<Power: LightPower>(
  _ z: Floats, _ p: hr_linearization, _ power: Power.Type
) -> SIMD16<Float16> {
  let clamped = unsafe hr_min(
    hr_max(z, Floats(repeating: p.lowest)), Floats(repeating: p.highest))
  return unsafe hr_to_half(power.light(hr_light_polynomial(p.polynomial, clamped)))
}

/// Converts a row of Y'CbCr words at luma resolution to linear half-float R, G, B.
func linearizeYCbCrRow(
  _ p: UnsafePointer<hr_linearization>, y: UnsafePointer<UInt16>, cb: UnsafePointer<UInt16>,
  cr: UnsafePointer<UInt16>, to light: hr_light_rows, count: Int
) {
  if unsafe p.pointee.is_fourth_power != 0 {
    unsafe linearizeYCbCrRow(p, FourthPower.self, y, cb, cr, light, count)
  } else {
    unsafe linearizeYCbCrRow(p, SquarePower.self, y, cb, cr, light, count)
  }
}

@inline(__always)
private func linearizeYCbCrRow<Power: LightPower>(
  _ p: UnsafePointer<hr_linearization>, _ power: Power.Type, _ y: UnsafePointer<UInt16>, _ cb: UnsafePointer<UInt16>,
  _ cr: UnsafePointer<UInt16>, _ light: hr_light_rows, _ count: Int
) {
  // A local copy, which stores cannot alias: constants stay in registers for the whole row.
  let p = unsafe p.pointee
  var x = 0
  while x &+ 16 <= count {
    unsafe linearizeYCbCr(p, power, hr_load_u16(y + x), hr_load_u16(cb + x), hr_load_u16(cr + x), light, x)
    x &+= 16
  }
  if x < count {
    let rest = count &- x
    unsafe linearizeYCbCr(
      p, power, hr_load_first_u16(y + x, rest), hr_load_first_u16(cb + x, rest), hr_load_first_u16(cr + x, rest),
      light, x)
  }
}

@inline(__always)
private func linearizeYCbCr<Power: LightPower>(
  _ p: hr_linearization, _ power: Power.Type, _ y: SIMD16<UInt16>, _ cb: SIMD16<UInt16>,
  _ cr: SIMD16<UInt16>, _ light: hr_light_rows, _ x: Int
) {
  let (y, cb, cr) = (hr_from_u16(y), hr_from_u16(cb), hr_from_u16(cr))
  let gain = unsafe Floats(repeating: p.luma_gain)
  let red = unsafe hr_fma(
    cr, Floats(repeating: p.red_from_cr), hr_fma(y, gain, Floats(repeating: p.red_offset)))
  let green = unsafe hr_fma(
    cb, Floats(repeating: p.green_from_cb),
    hr_fma(
      cr, Floats(repeating: p.green_from_cr), hr_fma(y, gain, Floats(repeating: p.green_offset))))
  let blue = unsafe hr_fma(
    cb, Floats(repeating: p.blue_from_cb), hr_fma(y, gain, Floats(repeating: p.blue_offset)))
  unsafe hr_store_f16(light.red + x, linearLight(red, p, power))
  unsafe hr_store_f16(light.green + x, linearLight(green, p, power))
  unsafe hr_store_f16(light.blue + x, linearLight(blue, p, power))
}

/// Converts a row of one R'G'B' component to linear half float; uses luma's and red's `gain` and `offset`.
func linearizeComponentRow(
  _ p: UnsafePointer<hr_linearization>, _ source: UnsafePointer<UInt16>,
  to target: UnsafeMutablePointer<Float16>, count: Int
) {
  if unsafe p.pointee.is_fourth_power != 0 {
    unsafe linearizeComponentRow(p, FourthPower.self, source, target, count)
  } else {
    unsafe linearizeComponentRow(p, SquarePower.self, source, target, count)
  }
}

@inline(__always)
private func linearizeComponentRow<Power: LightPower>(
  _ p: UnsafePointer<hr_linearization>, _ power: Power.Type, _ source: UnsafePointer<UInt16>,
  _ target: UnsafeMutablePointer<Float16>, _ count: Int
) {
  let p = unsafe p.pointee
  let gain = unsafe Floats(repeating: p.luma_gain)
  let offset = unsafe Floats(repeating: p.red_offset)
  var x = 0
  while x &+ 16 <= count {
    let z = unsafe hr_fma(hr_from_u16(hr_load_u16(source + x)), gain, offset)
    unsafe hr_store_f16(target + x, linearLight(z, p, power))
    x &+= 16
  }
  if x < count {
    let z = unsafe hr_fma(hr_from_u16(hr_load_first_u16(source + x, count &- x)), gain, offset)
    unsafe hr_store_f16(target + x, linearLight(z, p, power))
  }
}
