internal import SIMDShims

// Classifies pixels of scratch rows of light by codes, and paints light by these codes.

/// Counts the levels that a mix of the components exceeds.
func zoneRow(_ p: UnsafePointer<hr_zones>, _ light: hr_light_rows, to codes: UnsafeMutablePointer<UInt16>, count: Int) {
  let p = unsafe p.pointee
  let levels = p.levels
  var x = 0
  while x < count {
    let value = unsafe LightVector(light, at: x).sum(p.weights)
    var code = SIMD16<UInt16>()
    @inline(__always)
    func step(_ level: Float) { code = hr_add_where(code, hr_less(Floats(repeating: level), value), 1) }
    step(levels.0)
    step(levels.1)
    step(levels.2)
    step(levels.3)
    step(levels.4)
    step(levels.5)
    step(levels.6)
    step(levels.7)
    unsafe hr_store_u16(codes + x, code)
    x &+= 16
  }
}

/// Counts the levels, of two, that a half-float level exceeds.
func levelZoneRow(
  _ levels: UnsafePointer<UInt16>, low: UInt16, high: UInt16, to codes: UnsafeMutablePointer<UInt16>, count: Int
) {
  var x = 0
  while x < count {
    let level = unsafe hr_load_u16(levels + x)
    let code = hr_add_where(SIMD16<UInt16>(), hr_above_u16(level, low), 1)
    unsafe hr_store_u16(codes + x, hr_add_where(code, hr_above_u16(level, high), 1))
    x &+= 16
  }
}

/// Adds to the codes of pixels outside a gamut.
func addOutsideRow(
  _ p: UnsafePointer<hr_gamut_boundary>, _ addend: UInt16, _ light: hr_light_rows,
  to codes: UnsafeMutablePointer<UInt16>, count: Int
) {
  let p = unsafe p.pointee
  let limit = Floats(repeating: -p.floor)
  var x = 0
  while x < count {
    var color = unsafe LightVector(light, at: x)
    color.transform(by: p.matrix)
    unsafe hr_store_u16(codes + x, hr_add_where(hr_load_u16(codes + x), hr_less(color.minimum, limit), addend))
    x &+= 16
  }
}

/// Adds the sector number, from 1, to the code of each pixel with a hue.
func addHueRow(
  _ p: UnsafePointer<hr_hues>, _ unit: UInt16, _ light: hr_light_rows, to codes: UnsafeMutablePointer<UInt16>,
  count: Int
) {
  let p = unsafe p.pointee
  var x = 0
  while x < count {
    let rgb = unsafe LightVector(light, at: x)
    let (horizontal, vertical, scale) = (rgb.sum(p.horizontal), rgb.sum(p.vertical), rgb.sum(p.unit))
    let distance = hr_fma(horizontal, horizontal, vertical * vertical)
    let isNeutral = hr_less(distance, scale * scale * Floats(repeating: p.neutral))
    /// Returns lanes that are clockwise of a direction.
    @inline(__always)
    func before(_ dx: Float, _ dy: Float) -> hr_mask {
      hr_less(Floats(repeating: dx) * vertical, Floats(repeating: dy) * horizontal)
    }
    let edges = (
      before(p.x.0, p.y.0), before(p.x.1, p.y.1), before(p.x.2, p.y.2), before(p.x.3, p.y.3), before(p.x.4, p.y.4),
      before(p.x.5, p.y.5)
    )
    var code = unsafe hr_load_u16(codes + x)
    @inline(__always)
    func add(_ start: hr_mask, _ end: hr_mask, _ number: UInt16) {
      code = hr_add_where(code, hr_without(hr_without(end, start), isNeutral), number &* unit)
    }
    add(edges.0, edges.1, 1)
    add(edges.1, edges.2, 2)
    add(edges.2, edges.3, 3)
    add(edges.3, edges.4, 4)
    add(edges.4, edges.5, 5)
    add(edges.5, edges.0, 6)
    unsafe hr_store_u16(codes + x, code)
    x &+= 16
  }
}

/// Paints light by codes, in place.
func paintRow(_ p: UnsafePointer<hr_palette>, _ codes: UnsafePointer<UInt16>, _ light: hr_light_rows, count: Int) {
  let p = unsafe p.pointee
  let colors = unsafe Int(p.count)
  var x = 0
  while x < count {
    let code = unsafe hr_load_u16(codes + x)
    var (red, green, blue) = unsafe (
      hr_load_f16(light.red + x), hr_load_f16(light.green + x), hr_load_f16(light.blue + x)
    )
    let rgb = LightVector(red: hr_from_half(red), green: hr_from_half(green), blue: hr_from_half(blue))
    let gray = unsafe hr_to_half(rgb.sum(p.gray))
    @inline(__always)
    func choose(_ number: Int, _ r: SIMD16<Float16>, _ g: SIMD16<Float16>, _ b: SIMD16<Float16>) {
      let isIt = hr_equal_u16(code, UInt16(truncatingIfNeeded: number))
      red = hr_choose_f16(isIt, r, red)
      green = hr_choose_f16(isIt, g, green)
      blue = hr_choose_f16(isIt, b, blue)
    }
    unsafe choose(Int(p.gray_code), gray, gray, gray)
    var k = 0
    while k < colors {
      let color = unsafe p.colors + 3 &* k
      if unsafe k != Int(p.gray_code) {
        unsafe choose(k, hr_splat_f16(color[0]), hr_splat_f16(color[1]), hr_splat_f16(color[2]))
      }
      k &+= 1
    }
    unsafe hr_store_f16(light.red + x, red)
    unsafe hr_store_f16(light.green + x, green)
    unsafe hr_store_f16(light.blue + x, blue)
    x &+= 16
  }
}
