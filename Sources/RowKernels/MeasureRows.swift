internal import SIMDShims

/// Converts a scratch row of light to levels, which are half-float bit patterns.
func levelRow(_ light: hr_light_rows, to scratch: UnsafeMutablePointer<UInt16>, count: Int) {
  var x = 0
  while x < count {
    let level = unsafe hr_largest_level(
      hr_load_f16(light.red + x), hr_load_f16(light.green + x), hr_load_f16(light.blue + x))
    unsafe hr_store_u16(scratch + x, level)
    x &+= 16
  }
}

/// Converts a scratch row of scene light to the levels of display light.
func sceneLevelRow(
  _ p: UnsafePointer<hr_mapping>, _ light: hr_light_rows, to scratch: UnsafeMutablePointer<UInt16>, count: Int
) {
  unsafe forEachLuminanceGain(p, light, count) { x, gain in
    let largest = unsafe hr_to_half(LightVector(light, at: x).maximum * gain)
    unsafe hr_store_u16(scratch + x, hr_largest_level(largest, largest, largest))
  }
}

/// Computes the luminance gain of each pixel of a scratch row.
func luminanceGainRow(
  _ p: UnsafePointer<hr_mapping>, _ light: hr_light_rows, to scratch: UnsafeMutablePointer<Float>, count: Int
) {
  unsafe forEachLuminanceGain(p, light, count) { x, gain in unsafe hr_store_f32(scratch + x, gain) }
}

@inline(__always)
private func forEachLuminanceGain(
  _ p: UnsafePointer<hr_mapping>, _ light: hr_light_rows, _ count: Int, _ body: (_ x: Int, _ gain: Floats) -> Void
) {
  let p = unsafe p.pointee
  var memory = hr_gain_block()
  unsafe withUnsafeMutablePointer(to: &memory) { memory in
    let block = unsafe GainBlock(memory)
    var start = 0
    while start < count {
      let pixels = min(HR_GAIN_BLOCK, count &- start)
      unsafe LuminanceGainStep.prepare(p, light, start, pixels, block)
      var k = 0
      while k < pixels {
        unsafe hr_look_up(p.luminance_gain, block.index + k, block.gain + k)
        k &+= 16
      }
      k = 0
      while k < pixels {
        unsafe body(start &+ k, hr_load_f32(block.gain + k))
        k &+= 16
      }
      start &+= HR_GAIN_BLOCK
    }
  }
}

/// Counts levels, and updates the maximum of each column and of the row.
func tallyRow(
  _ levels: UnsafePointer<UInt16>, in bins: UnsafeMutablePointer<UInt32>, columns: UnsafeMutablePointer<UInt16>,
  count: Int
) -> UInt16 {
  var highest = SIMD16<UInt16>()
  var x = 0
  while x &+ 16 <= count {
    let level = unsafe hr_load_u16(levels + x)
    highest = hr_higher_level(highest, level)
    unsafe hr_store_u16(columns + x, hr_higher_level(hr_load_u16(columns + x), level))
    for k in 0..<4 { unsafe hr_tally_four(levels + x + 4 &* k, bins) }
    x &+= 16
  }
  if x < count {
    let level = unsafe hr_load_first_u16(levels + x, count &- x)
    highest = hr_higher_level(highest, level)
    unsafe hr_store_u16(columns + x, hr_higher_level(hr_load_u16(columns + x), level))
  }
  while x < count {
    unsafe bins[Int(levels[x])] &+= 1
    x &+= 1
  }
  return hr_highest_level(highest)
}

/// Counts pixels of a scratch row whose colour is outside a gamut.
func countOutsideRow(_ p: UnsafePointer<hr_gamut_boundary>, _ light: hr_light_rows, count: Int) -> Int {
  let p = unsafe p.pointee
  let limit = Floats(repeating: -p.floor)
  var outside = SIMD16<Int32>()
  var x = 0
  while x < count {
    var color = unsafe LightVector(light, at: x)
    color.transform(by: p.matrix)
    outside &-= hr_less_first(color.minimum, limit, count &- x)
    x &+= 16
  }
  return Int(hr_sum_i32(outside))
}
