internal import SIMDShims

/// Full-resolution chroma to the resolution of the output: a weighted sum of three rows, then every second column as the
/// mean of a pair, or weighted 1, 2, 1 around the even columns.
/// - Parameters:
///   - source: Their last samples get copied to the positions after.
///   - isCosited: Chroma samples lie on even luma columns, not between two.
///   - count: Luma columns.
func reduceRow(_ source: hr_row_filter, isCosited: Bool, to scratch: UnsafeMutablePointer<Float>, count: Int) {
  unsafe source.above[count] = unsafe source.above[count &- 1]
  unsafe source.middle[count] = unsafe source.middle[count &- 1]
  unsafe source.below[count] = unsafe source.below[count &- 1]
  let above = unsafe Floats(repeating: source.weight_above)
  let middle = unsafe Floats(repeating: source.weight_middle)
  let below = unsafe Floats(repeating: source.weight_below)
  @inline(__always)
  func sum(_ x: Int) -> Floats {
    unsafe hr_fma(
      hr_load_f32(source.below + x), below,
      hr_fma(hr_load_f32(source.middle + x), middle, hr_load_f32(source.above + x) * above))
  }
  let (half, quarter) = (Floats(repeating: 0.5), Floats(repeating: 0.25))
  var x = 0
  if isCosited {
    // Left of the first column it is repeated.
    var odd = Floats(repeating: sum(0)[0])
    while x < count {
      let (low, high) = (sum(x), sum(x &+ 16))
      let before = odd
      odd = hr_odd_f32(low, high)
      let outer = (hr_shift_in(before, odd) + odd) * quarter
      unsafe hr_store_f32(scratch + x / 2, hr_fma(hr_even_f32(low, high), half, outer))
      x &+= 32
    }
  } else {
    while x < count {
      let (low, high) = (sum(x), sum(x &+ 16))
      unsafe hr_store_f32(scratch + x / 2, (hr_even_f32(low, high) + hr_odd_f32(low, high)) * half)
      x &+= 32
    }
  }
}
