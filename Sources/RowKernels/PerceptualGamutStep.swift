internal import SIMDShims

/// Vectors of a block of pixels that a gamut step has put off.
@unsafe
struct DeferredBlock {
  /// Number of vectors.
  var count = 0
  private let rows: UnsafeMutablePointer<Float>
  let index: UnsafeMutablePointer<UInt32>
  let positions: UnsafeMutablePointer<Int>

  @inline(__always)
  init(_ block: UnsafeMutablePointer<hr_deferred_block>) {
    let memory = UnsafeMutableRawPointer(block)
    let bytes = HR_DEFERRED_ROWS &* HR_GAIN_BLOCK &* MemoryLayout<Float>.stride
    unsafe rows = unsafe memory.assumingMemoryBound(to: Float.self)
    unsafe index = unsafe (memory + bytes).assumingMemoryBound(to: UInt32.self)
    unsafe positions = unsafe (memory + bytes + HR_GAIN_BLOCK &* MemoryLayout<UInt32>.stride)
      .assumingMemoryBound(to: Int.self)
  }

  /// A row of a vector.
  @inline(__always)
  func row(_ number: Int, _ vector: Int) -> UnsafeMutablePointer<Float> {
    unsafe rows + (number &* HR_GAIN_BLOCK &+ vector &* 16)
  }

  @inline(__always)
  func load(_ number: Int, _ vector: Int) -> Floats { unsafe hr_load_f32(row(number, vector)) }

  @inline(__always)
  func store(_ value: Floats, _ number: Int, _ vector: Int) { unsafe hr_store_f32(row(number, vector), value) }
}

/// Moves colours along lines of constant hue to the display's gamut, and highlights towards white.
/// `PerceptualGamut` in ToneMapping has the formulas in words.
///
/// Few colours of most pictures are affected. Their vectors have long chains of operations, so a block's are put off and
/// go through each part side by side.
enum PerceptualGamutStep: GamutStep {
  // Rows of a deferred block: the light in the display's primaries, the largest component before, the gain, the
  // lightness, the plane of hues times the lightness, where the hue
  // lies between two entries of the boundary, and the share of the distance from grey that is left.
  private static var light: Int { 0 }
  private static var brightest: Int { 3 }
  private static var gain: Int { 4 }
  private static var gray: Int { 5 }
  private static var x: Int { 6 }
  private static var y: Int { 7 }
  private static var fraction: Int { 8 }
  private static var chroma: Int { 9 }

  /// Avoids divisions by zero.
  @inline(__always)
  private static var tiny: Floats { Floats(repeating: 0x1p-60) }

  @inline(__always)
  static func defers(
    _ p: hr_mapping, _ light: inout LightVector, _ gain: Floats, _ x: Int, _ block: inout DeferredBlock
  ) -> Bool {
    let source = light
    let m = unsafe p.perceptual
    unsafe light.transform(by: p.matrix)
    let lightness = unsafe source.sum((m.cones.3, m.cones.4, m.cones.5))
    let brightest = source.maximum
    let saturated = unsafe hr_fma(lightness, Floats(repeating: m.saturated), -light.minimum)
    let bright = unsafe hr_fma(hr_max(light.maximum, brightest), gain, Floats(repeating: -m.bright))
    if hr_any_greater(hr_max(saturated, bright), Floats()) == 0 {
      light.scale(by: gain)
      return false
    }
    let vector = unsafe block.count
    unsafe block.positions[vector] = x
    unsafe block.store(light.red, Self.light, vector)
    unsafe block.store(light.green, Self.light &+ 1, vector)
    unsafe block.store(light.blue, Self.light &+ 2, vector)
    unsafe block.store(brightest, Self.brightest, vector)
    unsafe block.store(gain, Self.gain, vector)
    unsafe block.store(hr_max(lightness, tiny), Self.gray, vector)
    unsafe block.store(source.sum((m.cones.0, m.cones.1, m.cones.2)), Self.x, vector)
    unsafe block.store(source.sum((m.cones.6, m.cones.7, m.cones.8)), Self.y, vector)
    unsafe block.count &+= 1
    return true
  }

  @inline(__always)
  static func finish<End: RowEnd>(_ p: hr_mapping, _ block: inout DeferredBlock, _ end: End) {
    let count = unsafe block.count
    var vector = 0
    while vector < count {
      unsafe findHue(block, vector)
      vector &+= 1
    }
    vector = 0
    while vector < count {
      unsafe rollOff(p, block, vector)
      vector &+= 1
    }
    vector = 0
    while vector < count {
      unsafe end.take(mapped(p, block, vector), at: block.positions[vector])
      vector &+= 1
    }
    unsafe block.count = 0
  }

  /// From cones to the plane of hues, and the entry of the hue.
  @inline(__always)
  private static func findHue(_ block: DeferredBlock, _ vector: Int) {
    let gray = unsafe block.load(Self.gray, vector)
    let x = unsafe hr_sqrt(hr_max(block.load(Self.x, vector) * gray, Floats())) - gray
    let y = unsafe hr_sqrt(hr_max(block.load(Self.y, vector) * gray, Floats())) - gray
    unsafe block.store(x, Self.x, vector)
    unsafe block.store(y, Self.y, vector)
    // Quarter turns, 1 at +x.
    let slope = y / hr_max(hr_magnitude(x) + hr_magnitude(y), tiny)
    let turns = hr_select_negative(x, Floats(repeating: 3) - slope, Floats(repeating: 1) + slope)
    // Not a number becomes 0.
    let position = hr_min(
      hr_max(turns * Floats(repeating: Float(HR_HUES) / 4), Floats()), Floats(repeating: Float(HR_HUES)))
    let index = hr_to_u32(position)
    unsafe hr_store_u32(block.index + vector &* 16, index)
    unsafe block.store(position - hr_from_u32(index), Self.fraction, vector)
  }

  /// The share of the distance from grey that the knee leaves: with N, X, A for the knee's start, the distance and what
  /// it is above N, in units of the lightness G, and k and b for the knee's tail and bend,
  /// (N (G + A b) + A (G + k A b)) / (X (G + A b)).
  @inline(__always)
  private static func rollOff(_ p: hr_mapping, _ block: DeferredBlock, _ vector: Int) {
    let m = unsafe p.perceptual
    let index = unsafe block.index + vector &* 16
    let (rows, fraction) = unsafe (block.row(Self.chroma, vector), block.load(Self.fraction, vector))
    unsafe hr_look_up_wide(m.bend, index, rows)
    let before = unsafe hr_load_f32(rows)
    unsafe hr_look_up_wide(m.bend + 1, index, rows)
    let bend = unsafe hr_fma(hr_load_f32(rows) - before, fraction, before)
    unsafe hr_look_up_lines(m.boundary, index, fraction, rows)
    let boundary = unsafe hr_load_f32(rows)
    let length = unsafe hr_magnitude(block.load(Self.x, vector)) + hr_magnitude(block.load(Self.y, vector))
    let gray = unsafe block.load(Self.gray, vector)
    let start = unsafe gray * Floats(repeating: m.start)
    let distance = hr_max(length * boundary, start)
    let above = distance - start
    let bent = above * bend
    let tail = unsafe hr_fma(bend, Floats(repeating: -m.tail_bend), Floats(repeating: m.tail))
    let reach = gray + bent
    let chroma = hr_fma(start, reach, above * hr_fma(tail, bent, gray)) / (distance * reach)
    unsafe block.store(chroma, Self.chroma, vector)
  }

  @inline(__always)
  private static func mapped(_ p: hr_mapping, _ block: DeferredBlock, _ vector: Int) -> LightVector {
    let m = unsafe p.perceptual
    var light = unsafe LightVector(
      red: block.load(Self.light, vector), green: block.load(Self.light &+ 1, vector),
      blue: block.load(Self.light &+ 2, vector))
    let (brightest, gain) = unsafe (block.load(Self.brightest, vector), block.load(Self.gain, vector))
    let (gray, x, y) = unsafe (block.load(Self.gray, vector), block.load(Self.x, vector), block.load(Self.y, vector))
    let chroma = unsafe block.load(Self.chroma, vector)
    let brighter = hr_max(brightest, light.maximum) * gain
    if unsafe hr_any_greater(brighter, Floats(repeating: m.bright)) == 0 {
      unsafe move(&light, gray, x, y, to: chroma, m)
      light.scale(by: gain)
      return light
    }
    let headroom = unsafe Floats(repeating: p.headroom)
    let reached = hr_min(brightest * gain, headroom)
    let share = unsafe hr_max(reached - Floats(repeating: m.highlight), Floats()) * Floats(repeating: m.highlight_gain)
    let desaturation = unsafe share * share * Floats(repeating: m.desaturation)
    unsafe move(&light, gray, x, y, to: hr_fma(-chroma, desaturation, chroma), m)
    let largest = light.maximum
    let lifted = hr_fma(desaturation, brightest - largest, largest)
    let (dimmed, whole) = unsafe p.brightness.factor(value: lifted * gain, unit: headroom, limit: reached)
    // In this form exactly the gain where neither changes anything, whatever the other lanes of the vector are.
    light.scale(by: lifted / hr_max(largest, tiny) * gain * (dimmed / whole))
    return light
  }

  /// Moves colours to a share of their distance from grey. As cones are squares of what is moved, a share t of c is
  /// c + (1 - t²) (g - c) + 2 t (1 - t) (√(c g) - g), which is exactly c for a share of 1.
  @inline(__always)
  private static func move(
    _ light: inout LightVector, _ gray: Floats, _ x: Floats, _ y: Floats, to t: Floats, _ m: hr_perceptual
  ) {
    let rest = hr_fma(-t, t, Floats(repeating: 1))
    let cross = hr_fma(-t, t, t) * Floats(repeating: 2)
    let (x, y) = (x * cross, y * cross)
    @inline(__always)
    func moved(_ component: Floats, _ first: Float, _ third: Float) -> Floats {
      let linear = hr_fma(gray - component, rest, component)
      return hr_max(hr_fma(x, Floats(repeating: first), hr_fma(y, Floats(repeating: third), linear)), Floats())
    }
    unsafe light.red = moved(light.red, m.target.0, m.target.2)
    unsafe light.green = moved(light.green, m.target.3, m.target.5)
    unsafe light.blue = moved(light.blue, m.target.6, m.target.8)
  }
}
