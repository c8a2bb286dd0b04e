internal import SIMDShims

/// A row of light to levels, which are the bits of halves, and to the highest level of each column.
/// - Returns: The highest level of the row.
func measureRow(
  _ light: hr_light_rows, to levels: UnsafeMutablePointer<UInt16>, columns: UnsafeMutablePointer<UInt16>, count: Int
) -> UInt16 {
  var highest = SIMD16<UInt16>()
  @inline(__always)
  func take(_ red: SIMD16<Float16>, _ green: SIMD16<Float16>, _ blue: SIMD16<Float16>, _ x: Int) {
    let level = hr_largest_level(red, green, blue)
    highest = hr_higher_level(highest, level)
    unsafe hr_store_u16(levels + x, level)
    unsafe hr_store_u16(columns + x, hr_higher_level(hr_load_u16(columns + x), level))
  }
  var x = 0
  while x &+ 16 <= count {
    unsafe take(hr_load_f16(light.red + x), hr_load_f16(light.green + x), hr_load_f16(light.blue + x), x)
    x &+= 16
  }
  if x < count {
    let rest = count &- x
    unsafe take(
      hr_load_first_f16(light.red + x, rest), hr_load_first_f16(light.green + x, rest),
      hr_load_first_f16(light.blue + x, rest), x)
  }
  return hr_highest_level(highest)
}

/// Counts levels.
func tallyRow(_ levels: UnsafePointer<UInt16>, in bins: UnsafeMutablePointer<UInt32>, count: Int) {
  var x = 0
  while x &+ 4 <= count {
    unsafe hr_tally_four(levels + x, bins)
    x &+= 4
  }
  while x < count {
    unsafe bins[Int(levels[x])] &+= 1
    x &+= 1
  }
}

/// Pixels of a scratch row whose colour lies outside of a gamut.
func countOutsideRow(_ p: UnsafePointer<hr_gamut_limits>, _ light: hr_light_rows, count: Int) -> Int {
  let p = unsafe p.pointee
  var outside = SIMD16<Int32>()
  var x = 0
  while x < count {
    let source = unsafe LightVector(light, at: x)
    var color = source
    color.transform(by: p.matrix)
    let largest = hr_max(source.maximum, -source.minimum)
    let limit = hr_fma(largest, Floats(repeating: -p.relative), Floats(repeating: -p.absolute))
    outside &-= hr_less_first(color.minimum, limit, count &- x)
    x &+= 16
  }
  return Int(hr_sum_i32(outside))
}
