internal import SIMDShims

/// Selects the colours to keep. One type per kind, as for `ToneStep`.
private protocol HighlightTest {
  /// Lanes that are kept.
  static func stays(_ p: hr_highlight, _ light: LightVector, _ limit: Floats) -> hr_mask
  /// Lanes near the boundary, some of which are kept.
  static func isNear(_ p: hr_highlight, _ light: LightVector, _ limit: Floats) -> hr_mask
}

private enum ChromaticityTest: HighlightTest {
  @inline(__always)
  static func stays(_ p: hr_highlight, _ light: LightVector, _ limit: Floats) -> hr_mask {
    hr_less(color(p, light).minimum, Floats(repeating: -p.boundary.floor))
  }

  @inline(__always)
  static func isNear(_ p: hr_highlight, _ light: LightVector, _ limit: Floats) -> hr_mask {
    hr_less(color(p, light).minimum, light.sum(p.near) - Floats(repeating: p.boundary.floor))
  }

  @inline(__always)
  static func color(_ p: hr_highlight, _ light: LightVector) -> LightVector {
    var color = light
    color.transform(by: p.boundary.matrix)
    return color
  }
}

private enum RangeTest: HighlightTest {
  @inline(__always)
  static func stays(_ p: hr_highlight, _ light: LightVector, _ limit: Floats) -> hr_mask {
    hr_either(ChromaticityTest.stays(p, light, limit), hr_less(limit, largest(p, light)))
  }

  @inline(__always)
  static func isNear(_ p: hr_highlight, _ light: LightVector, _ limit: Floats) -> hr_mask {
    let isBright = hr_less(limit * Floats(repeating: p.near_level), largest(p, light))
    return hr_either(ChromaticityTest.isNear(p, light, limit), isBright)
  }

  @inline(__always)
  private static func largest(_ p: hr_highlight, _ light: LightVector) -> Floats {
    ChromaticityTest.color(p, light).maximum - light.sum(p.excess)
  }
}

private enum LuminanceTest: HighlightTest {
  @inline(__always)
  static func stays(_ p: hr_highlight, _ light: LightVector, _ limit: Floats) -> hr_mask {
    hr_less(Floats(repeating: p.limit), light.sum(p.luminance))
  }

  @inline(__always)
  static func isNear(_ p: hr_highlight, _ light: LightVector, _ limit: Floats) -> hr_mask {
    hr_less(Floats(repeating: p.limit * p.near_level), light.sum(p.luminance))
  }
}

/// Processes a scratch row: kept colours are unchanged bit for bit, others become grey, or a tint.
func highlightRow(
  _ p: UnsafePointer<hr_highlight>, _ light: hr_light_rows, limits: UnsafePointer<Float>, count: Int
) {
  switch unsafe p.pointee.kind {
  case HR_HIGHLIGHT_RANGE: unsafe highlightRow(p, RangeTest.self, light, limits, count)
  case HR_HIGHLIGHT_LUMINANCE: unsafe highlightRow(p, LuminanceTest.self, light, limits, count)
  default: unsafe highlightRow(p, ChromaticityTest.self, light, limits, count)
  }
}

@inline(__always)
private func highlightRow<Test: HighlightTest>(
  _ p: UnsafePointer<hr_highlight>, _ test: Test.Type, _ rows: hr_light_rows, _ limits: UnsafePointer<Float>,
  _ count: Int
) {
  // A local copy, which stores cannot alias: constants stay in registers for the whole row.
  let p = unsafe p.pointee
  let hasTint = p.has_tint != 0
  var x = 0
  while x < count {
    let (red, green, blue) = unsafe (
      hr_load_f16(rows.red + x), hr_load_f16(rows.green + x), hr_load_f16(rows.blue + x)
    )
    let light = LightVector(red: hr_from_half(red), green: hr_from_half(green), blue: hr_from_half(blue))
    let limit = unsafe Test.self == RangeTest.self ? hr_load_f32(limits + x) : Floats()
    let stays = test.stays(p, light, limit)
    let gray = light.sum(p.gray)
    let grayHalf = hr_to_half(gray)
    var other = (grayHalf, grayHalf, grayHalf)
    if hasTint {
      let isNear = test.isNear(p, light, limit)
      other.0 = hr_choose_f16(isNear, hr_to_half(gray * Floats(repeating: p.tint.0)), grayHalf)
      other.1 = hr_choose_f16(isNear, hr_to_half(gray * Floats(repeating: p.tint.1)), grayHalf)
      other.2 = hr_choose_f16(isNear, hr_to_half(gray * Floats(repeating: p.tint.2)), grayHalf)
    }
    unsafe hr_store_f16(rows.red + x, hr_choose_f16(stays, red, other.0))
    unsafe hr_store_f16(rows.green + x, hr_choose_f16(stays, green, other.1))
    unsafe hr_store_f16(rows.blue + x, hr_choose_f16(stays, blue, other.2))
    x &+= 16
  }
}
