public import SIMDShims

/// Signals to linear light: the fourth power of a polynomial per octave.
@inline(__always)
func linearLight(_ z: SIMD16<Float>, _ p: UnsafePointer<hr_linearization>) -> SIMD16<Float> {
  let clamped = unsafe hr_min(
    hr_max(z, SIMD16(repeating: p.pointee.lowest)), SIMD16(repeating: p.pointee.highest))
  let root = unsafe hr_octaves5(clamped, p.pointee.octaves)
  let square = root * root
  return square * square
}

/// One row of Y'CbCr words at luma resolution to linear half-float R, G, B.
///
/// The output rows are scratch: they have room for a whole last vector.
@export(interface)
public func linearizeYCbCrRow(
  _ p: UnsafePointer<hr_linearization>, y: UnsafePointer<UInt16>, cb: UnsafePointer<UInt16>,
  cr: UnsafePointer<UInt16>, red: UnsafeMutablePointer<Float16>, green: UnsafeMutablePointer<Float16>,
  blue: UnsafeMutablePointer<Float16>, count: Int
) {
  var x = 0
  while x &+ 16 <= count {
    unsafe linearizeYCbCr(
      p, hr_load_u16(y + x), hr_load_u16(cb + x), hr_load_u16(cr + x), red + x, green + x, blue + x)
    x &+= 16
  }
  if x < count {
    let rest = count &- x
    unsafe linearizeYCbCr(
      p, hr_load_first_u16(y + x, rest), hr_load_first_u16(cb + x, rest), hr_load_first_u16(cr + x, rest),
      red + x, green + x, blue + x)
  }
}

@inline(__always)
private func linearizeYCbCr(
  _ p: UnsafePointer<hr_linearization>, _ y: SIMD16<UInt16>, _ cb: SIMD16<UInt16>, _ cr: SIMD16<UInt16>,
  _ red: UnsafeMutablePointer<Float16>, _ green: UnsafeMutablePointer<Float16>,
  _ blue: UnsafeMutablePointer<Float16>
) {
  typealias Floats = SIMD16<Float>
  let luma = unsafe hr_from_u16(y) * p.pointee.luma_gain
  let (cb, cr) = (hr_from_u16(cb), hr_from_u16(cr))
  let r = unsafe hr_fma(cr, Floats(repeating: p.pointee.red_from_cr), luma + p.pointee.red_offset)
  let g = unsafe hr_fma(
    cb, Floats(repeating: p.pointee.green_from_cb),
    hr_fma(cr, Floats(repeating: p.pointee.green_from_cr), luma + p.pointee.green_offset))
  let b = unsafe hr_fma(cb, Floats(repeating: p.pointee.blue_from_cb), luma + p.pointee.blue_offset)
  unsafe hr_store_f16(red, hr_to_half(linearLight(r, p)))
  unsafe hr_store_f16(green, hr_to_half(linearLight(g, p)))
  unsafe hr_store_f16(blue, hr_to_half(linearLight(b, p)))
}

/// One row of one R'G'B' component to linear half float; `gain` and `offset` are those of luma and red.
@export(interface)
public func linearizeComponentRow(
  _ p: UnsafePointer<hr_linearization>, _ source: UnsafePointer<UInt16>,
  to target: UnsafeMutablePointer<Float16>, count: Int
) {
  let gain = unsafe SIMD16<Float>(repeating: p.pointee.luma_gain)
  let offset = unsafe SIMD16<Float>(repeating: p.pointee.red_offset)
  var x = 0
  while x &+ 16 <= count {
    let z = unsafe hr_fma(hr_from_u16(hr_load_u16(source + x)), gain, offset)
    unsafe hr_store_f16(target + x, hr_to_half(linearLight(z, p)))
    x &+= 16
  }
  if x < count {
    let z = unsafe hr_fma(hr_from_u16(hr_load_first_u16(source + x, count &- x)), gain, offset)
    unsafe hr_store_f16(target + x, hr_to_half(linearLight(z, p)))
  }
}
