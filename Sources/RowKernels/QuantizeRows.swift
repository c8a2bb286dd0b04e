internal import SIMDShims

@inline(__always)
private func code(_ value: Floats, _ p: hr_quantization, _ x: Int) -> Floats {
  let threshold = unsafe hr_load_f32(p.thresholds + (x & 63))
  let code = unsafe hr_fma(value, Floats(repeating: p.gain), threshold)
  // In this operand order NaN is kept, and becomes 0 in the conversion.
  return unsafe hr_min(Floats(repeating: p.highest), code)
}

/// Quantizes a scratch row of signal values to eight-bit codes.
func quantizeRow(
  _ p: hr_quantization, _ values: UnsafePointer<Float>, to target: UnsafeMutablePointer<UInt8>, count: Int
) {
  var x = 0
  while x &+ 16 <= count {
    unsafe hr_store_u8(target + x, hr_to_u8(code(hr_load_f32(values + x), p, x)))
    x &+= 16
  }
  if x < count {
    unsafe hr_store_first_u8(target + x, hr_to_u8(code(hr_load_f32(values + x), p, x)), count &- x)
  }
}

/// Quantizes a scratch row of signal values to codes of nine bits and more.
func quantizeRow(
  _ p: hr_quantization, _ values: UnsafePointer<Float>, to target: UnsafeMutablePointer<UInt16>, count: Int
) {
  var x = 0
  while x &+ 16 <= count {
    unsafe hr_store_u16(target + x, hr_to_u16(code(hr_load_f32(values + x), p, x)))
    x &+= 16
  }
  if x < count {
    unsafe hr_store_first_u16(target + x, hr_to_u16(code(hr_load_f32(values + x), p, x)), count &- x)
  }
}
