internal import SIMDShims

/// Computes a weighted sum of the components of a scratch row, in half float.
func weighRow(
  _ p: UnsafePointer<hr_weights>, _ light: hr_light_rows, to scratch: UnsafeMutablePointer<Float16>, count: Int
) {
  let p = unsafe p.pointee
  var x = 0
  while x < count {
    let sum = unsafe LightVector(light, at: x).sum((p.red, p.green, p.blue))
    unsafe hr_store_f16(scratch + x, hr_to_half(sum))
    x &+= 16
  }
}

/// Counts the levels of half-float rows in the bins of their columns, tile by tile.
///
/// While a tile is counted, bins of the next one are prefetched: those of every fourth pixel in every second row, whose
/// cache lines most of the others share.
func tallyLevels(
  _ p: UnsafePointer<hr_column_tally>, _ halves: UnsafePointer<UInt16>, stride: Int, rows: Int,
  in bins: UnsafeMutablePointer<UInt16>, count: Int
) {
  let p = unsafe p.pointee
  var start = 0
  while start < count {
    let end = min(start &+ Int(HR_TALLY_TILE), count)
    let fetched = min(end &+ Int(HR_TALLY_TILE), count)
    var row = unsafe halves
    var y = 0
    while y < rows {
      if y & 1 == 0 {
        var x = end
        while x < fetched {
          unsafe hr_fetch_level(p, row, x, bins)
          x &+= 4
        }
      }
      var x = start
      while unsafe p.are_fours != 0 && x &+ 16 <= end {
        unsafe hr_tally_four_columns(p, row, x, bins)
        x &+= 16
      }
      while x < end {
        unsafe hr_tally_level(p, row, x, bins)
        x &+= 1
      }
      unsafe row += stride
      y &+= 1
    }
    start = end
  }
}

/// Computes bins of a plane of signal differences, with zero in the middle.
///
/// Differences, rather than matrix rows that sum to zero, make grey exactly zero.
func vectorBinRow(
  _ p: UnsafePointer<hr_vector_plane>, _ light: hr_light_rows, to scratch: UnsafeMutablePointer<UInt32>, count: Int
) {
  let p = unsafe p.pointee
  let middle = Floats(repeating: Float(1 << (HR_PLANE_BITS - 1)))
  var x = 0
  while x < count {
    let second = unsafe signals(p, light.green + x)
    let (first, third) = unsafe (signals(p, light.red + x) - second, signals(p, light.blue + x) - second)
    let across = unsafe hr_fma(
      first, Floats(repeating: p.x_first), hr_fma(third, Floats(repeating: p.x_third), middle))
    let up = unsafe hr_fma(first, Floats(repeating: p.y_first), hr_fma(third, Floats(repeating: p.y_third), middle))
    unsafe hr_store_u32(scratch + x, planeBin(across, up))
    x &+= 16
  }
}

@inline(__always)
private func signals(_ p: hr_vector_plane, _ halves: UnsafePointer<Float16>) -> Floats {
  unsafe hr_look_up_halves(p.signals, UnsafeRawPointer(halves).assumingMemoryBound(to: UInt16.self))
}

/// Returns the bin of integer coordinates, limited to the plane.
@inline(__always)
private func planeBin(_ x: Floats, _ y: Floats) -> SIMD16<UInt32> {
  let last = Floats(repeating: Float((1 << HR_PLANE_BITS) - 1))
  let (column, row) = (hr_min(hr_max(x, Floats()), last), hr_min(hr_max(y, Floats()), last))
  return hr_to_u32(column) &+ hr_to_u32(row) &* SIMD16(repeating: 1 << UInt32(HR_PLANE_BITS))
}

/// Computes bins of the u', v' plane, and their sums.
///
/// Source: CIE 15:2018, clause 8.2.1: u' = 4X / (X + 15Y + 3Z), v' = 9Y / (X + 15Y + 3Z).
func chromaticityBinRow(
  _ p: UnsafePointer<hr_chromaticity_plane>, _ light: hr_light_rows, to scratch: UnsafeMutablePointer<UInt32>,
  sums: UnsafeMutablePointer<hr_chromaticity_sums>, count: Int
) {
  let p = unsafe p.pointee
  let none = SIMD16<UInt32>(repeating: 1 << UInt32(2 * HR_PLANE_BITS))
  var (u, v) = (ChromaticitySums(), ChromaticitySums())
  var pixels = SIMD16<Int32>()
  var x = 0
  while x < count {
    var color = unsafe LightVector(light, at: x)
    color.transform(by: p.matrix)
    let sum = hr_fma(
      color.green, Floats(repeating: 15), hr_fma(color.blue, Floats(repeating: 3), color.red))
    // Infinity and NaN have no chromaticity.
    let isBright =
      hr_less_first(sum, Floats(repeating: .infinity), count &- x)
      & ~hr_less_first(color.green, Floats(repeating: p.least), 16)
    let scale = Floats(repeating: 1) / sum
    let (across, up) = (color.red * (scale * Floats(repeating: 4)), color.green * (scale * Floats(repeating: 9)))
    let gain = Floats(repeating: p.bins_per_unit)
    unsafe hr_store_u32(scratch + x, hr_select_bits(isBright, planeBin(across * gain, up * gain), none))
    u.add(across, where: isBright)
    v.add(up, where: isBright)
    pixels &-= isBright
    x &+= 16
  }
  unsafe sums.pointee.pixels &+= Int64(hr_sum_i32(pixels))
  unsafe u.finish(&sums.pointee.sum_u, &sums.pointee.least_u, &sums.pointee.most_u)
  unsafe v.finish(&sums.pointee.sum_v, &sums.pointee.least_v, &sums.pointee.most_v)
}

/// Sum and extremes of a coordinate in 1/65536, per lane.
private struct ChromaticitySums {
  private var sum = SIMD16<UInt32>()
  private var least = Floats(repeating: 65535)
  private var most = Floats()

  @inline(__always)
  mutating func add(_ value: Floats, where mask: SIMD16<Int32>) {
    let steps = hr_min(
      hr_max(hr_fma(value, Floats(repeating: 65536), Floats(repeating: 0.5)), Floats()), Floats(repeating: 65535))
    let bits = hr_float_to_bits(steps)
    sum &+= hr_select_bits(mask, hr_to_u32(steps), SIMD16())
    least = hr_min(least, hr_bits_to_float(hr_select_bits(mask, bits, hr_float_to_bits(Floats(repeating: 65535)))))
    most = hr_max(most, hr_bits_to_float(hr_select_bits(mask, bits, SIMD16())))
  }

  @inline(__always)
  func finish(_ total: inout Int64, _ lowest: inout Int32, _ highest: inout Int32) {
    for lane in 0..<16 {
      total &+= Int64(sum[lane])
      lowest = min(lowest, Int32(least[lane]))
      highest = max(highest, Int32(most[lane]))
    }
  }
}

/// Counts each index in its bin.
func tallyBinRow(_ indices: UnsafePointer<UInt32>, in bins: UnsafeMutablePointer<UInt32>, count: Int) {
  var x = 0
  while x &+ 4 <= count {
    unsafe hr_tally_four_bins(indices + x, bins)
    x &+= 4
  }
  while x < count {
    unsafe bins[Int(indices[x])] &+= 1
    x &+= 1
  }
}
