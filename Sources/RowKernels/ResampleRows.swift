internal import SIMDShims

/// Computes the weighted sum of half-float rows.
func weighRows(
  _ source: UnsafePointer<Float16>, stride: Int, weights: UnsafePointer<Float>, rows: Int,
  to scratch: UnsafeMutablePointer<Float>, count: Int
) {
  var x = 0
  // Two vectors at a time, so that their sums do not depend on each other.
  while x < count {
    var (first, second) = (Floats(), Floats())
    var row = unsafe source + x
    var y = 0
    while y < rows {
      let weight = unsafe Floats(repeating: weights[y])
      first = unsafe hr_fma(hr_from_half(hr_load_f16(row)), weight, first)
      second = unsafe hr_fma(hr_from_half(hr_load_f16(row + 16)), weight, second)
      unsafe row += stride
      y &+= 1
    }
    unsafe hr_store_f32(scratch + x, hr_limit_to_half(first))
    unsafe hr_store_f32(scratch + x + 16, hr_limit_to_half(second))
    x &+= 32
  }
}

/// Resamples a row to another width: each element is a weighted sum of neighbours.
func resampleRow(
  _ p: hr_resampling, _ source: UnsafePointer<Float>, to scratch: UnsafeMutablePointer<Float16>, count: Int
) {
  guard var starts = unsafe p.starts, var weights = unsafe p.weights else { return }
  let taps = unsafe p.taps
  var x = 0
  while x < count {
    var sum = Floats()
    var tap = 0
    while tap < taps {
      sum = unsafe hr_add_four(source + tap, starts, weights, sum)
      unsafe weights += 64
      tap &+= 4
    }
    unsafe hr_store_f16(scratch + x, hr_to_half(sum))
    unsafe starts += 16
    x &+= 16
  }
}
