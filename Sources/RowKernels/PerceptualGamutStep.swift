internal import SIMDShims

/// Vectors of a block of pixels that a gamut step has put off.
@unsafe
struct DeferredBlock {
  /// Number of vectors.
  var count = 0
  /// Number of those that may lie outside of the gamut.
  var saturatedCount = 0
  private let rows: UnsafeMutablePointer<Float>
  let index: UnsafeMutablePointer<UInt32>
  let positions: UnsafeMutablePointer<Int>
  let saturated: UnsafeMutablePointer<Int>

  @inline(__always)
  init(_ block: UnsafeMutablePointer<hr_deferred_block>) {
    let memory = UnsafeMutableRawPointer(block)
    let indices = HR_DEFERRED_ROWS &* HR_GAIN_BLOCK &* MemoryLayout<Float>.stride
    let lists = indices + HR_GAIN_BLOCK &* MemoryLayout<UInt32>.stride
    unsafe rows = unsafe memory.assumingMemoryBound(to: Float.self)
    unsafe index = unsafe (memory + indices).assumingMemoryBound(to: UInt32.self)
    unsafe positions = unsafe (memory + lists).assumingMemoryBound(to: Int.self)
    unsafe saturated = unsafe positions + HR_GAIN_BLOCK / 16
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
  // lightness, the plane of hues times the lightness, the distance from grey in the plane of the table, where the hue
  // lies between two of its entries, and the share of the distance that is left.
  private static var light: Int { 0 }
  private static var brightest: Int { 3 }
  private static var gain: Int { 4 }
  private static var gray: Int { 5 }
  private static var x: Int { 6 }
  private static var y: Int { 7 }
  private static var length: Int { 8 }
  private static var fraction: Int { 9 }
  private static var share: Int { 10 }

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
    let isSaturated = unsafe hr_any_greater(lightness * Floats(repeating: m.saturated), light.minimum) != 0
    let isBright = unsafe hr_any_greater(hr_max(light.maximum, brightest) * gain, Floats(repeating: m.bright)) != 0
    if !isSaturated, !isBright {
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
    if isSaturated {
      unsafe block.saturated[block.saturatedCount] = vector
      unsafe block.saturatedCount &+= 1
    } else {
      unsafe block.store(Floats(repeating: 1), Self.share, vector)
    }
    return true
  }

  @inline(__always)
  static func finish<End: RowEnd>(_ p: hr_mapping, _ block: inout DeferredBlock, _ end: End) {
    let (count, saturatedCount) = unsafe (block.count, block.saturatedCount)
    var vector = 0
    while vector < count {
      unsafe findPoint(block, vector)
      vector &+= 1
    }
    vector = 0
    while vector < saturatedCount {
      unsafe findHue(p.perceptual, block, block.saturated[vector])
      vector &+= 1
    }
    vector = 0
    while vector < saturatedCount {
      unsafe rollOff(p.perceptual, block, block.saturated[vector])
      vector &+= 1
    }
    vector = 0
    while vector < count {
      unsafe end.take(mapped(p, block, vector), at: block.positions[vector])
      vector &+= 1
    }
    unsafe (block.count, block.saturatedCount) = (0, 0)
  }

  /// From cones to the plane of hues.
  @inline(__always)
  private static func findPoint(_ block: DeferredBlock, _ vector: Int) {
    let gray = unsafe block.load(Self.gray, vector)
    let x = unsafe hr_sqrt(hr_max(block.load(Self.x, vector) * gray, Floats())) - gray
    let y = unsafe hr_sqrt(hr_max(block.load(Self.y, vector) * gray, Floats())) - gray
    unsafe block.store(x, Self.x, vector)
    unsafe block.store(y, Self.y, vector)
  }

  /// The entry of the hue in the table, and the distance from grey.
  @inline(__always)
  private static func findHue(_ m: hr_perceptual, _ block: DeferredBlock, _ vector: Int) {
    let (x, y) = unsafe (block.load(Self.x, vector), block.load(Self.y, vector))
    let u = unsafe hr_fma(x, Floats(repeating: m.plane.0), y * Floats(repeating: m.plane.1))
    let v = unsafe hr_fma(x, Floats(repeating: m.plane.2), y * Floats(repeating: m.plane.3))
    let length = hr_magnitude(u) + hr_magnitude(v)
    unsafe block.store(length, Self.length, vector)
    // Quarter turns, 1 at +u.
    let slope = v / hr_max(length, tiny)
    let turns = hr_select_negative(u, Floats(repeating: 3) - slope, Floats(repeating: 1) + slope)
    // Not a number becomes 0.
    let count = unsafe Floats(repeating: m.hue_count)
    let position = hr_min(hr_max(turns * (count * Floats(repeating: 0.25)), Floats()), count)
    let index = hr_to_u32(position)
    unsafe hr_store_u32(block.index + vector &* 16, index)
    unsafe block.store(position - hr_from_u32(index), Self.fraction, vector)
  }

  /// The share of the distance from grey that the knee leaves: with X for the distance, A for what it is above the
  /// knee's start, both in units of the lightness G, and k and b for the knee's tail and bend, 1 - (1 - k) b A² / (X (G + A b)).
  @inline(__always)
  private static func rollOff(_ m: hr_perceptual, _ block: DeferredBlock, _ vector: Int) {
    let (boundaryRow, bendRow) = unsafe (block.row(Self.share, vector), block.row(Self.fraction, vector))
    let fraction = unsafe block.load(Self.fraction, vector)
    unsafe hr_look_up_between(m.hues, block.index + vector &* 16, fraction, boundaryRow, bendRow)
    let (boundary, bend) = unsafe (hr_load_f32(boundaryRow), hr_load_f32(bendRow))
    let gray = unsafe block.load(Self.gray, vector)
    let start = unsafe gray * Floats(repeating: m.start)
    let distance = unsafe hr_max(block.load(Self.length, vector) * boundary, start)
    let above = distance - start
    let bent = above * bend
    let rest = unsafe hr_fma(bend, Floats(repeating: m.tail_bend), Floats(repeating: 1 - m.tail))
    let share = Floats(repeating: 1) - rest * bent * above / (distance * (gray + bent))
    unsafe block.store(share, Self.share, vector)
  }

  @inline(__always)
  private static func mapped(_ p: hr_mapping, _ block: DeferredBlock, _ vector: Int) -> LightVector {
    let m = unsafe p.perceptual
    var light = unsafe LightVector(
      red: block.load(Self.light, vector), green: block.load(Self.light &+ 1, vector),
      blue: block.load(Self.light &+ 2, vector))
    let (brightest, gain) = unsafe (block.load(Self.brightest, vector), block.load(Self.gain, vector))
    let (gray, x, y) = unsafe (block.load(Self.gray, vector), block.load(Self.x, vector), block.load(Self.y, vector))
    let left = unsafe block.load(Self.share, vector)
    let brighter = hr_max(brightest, light.maximum) * gain
    if unsafe hr_any_greater(brighter, Floats(repeating: m.bright)) == 0 {
      unsafe move(&light, gray, x, y, to: left, m)
      light.scale(by: gain)
      return light
    }
    let headroom = unsafe Floats(repeating: p.headroom)
    let reached = hr_min(brightest * gain, headroom)
    let share = unsafe hr_max(reached - Floats(repeating: m.highlight), Floats()) * Floats(repeating: m.highlight_gain)
    let desaturation = unsafe share * share * Floats(repeating: m.desaturation)
    unsafe move(&light, gray, x, y, to: hr_fma(-left, desaturation, left), m)
    let largest = light.maximum
    let lifted = hr_fma(desaturation, brightest - largest, largest)
    let (dimmed, whole) = unsafe p.brightness.factor(value: lifted * gain, unit: headroom, limit: reached)
    // Exactly the gain where neither changes anything, whatever the other lanes of the vector are.
    light.scale(by: lifted * dimmed / (hr_max(largest, tiny) * whole) * gain)
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
