internal import SIMDShims

/// The destination of mapped light. One type per kind, as for `ToneStep`.
protocol RowEnd {
  func take(_ light: LightVector, at x: Int)
}

/// In place, as half float.
@unsafe
struct LightEnd: RowEnd {
  let rows: hr_light_rows

  @inline(__always)
  func take(_ light: LightVector, at x: Int) {
    unsafe hr_store_f16(rows.red + x, hr_to_half(light.red))
    unsafe hr_store_f16(rows.green + x, hr_to_half(light.green))
    unsafe hr_store_f16(rows.blue + x, hr_to_half(light.blue))
  }
}

/// To float rows, without rounding to half float: clamped to 0...1, and as the root that is coded. The roots are
/// computed here rather than in `signalRow`, where the same execution units are the bottleneck.
@unsafe
struct RootEnd<Root: LightRoot>: RowEnd {
  let rows: hr_float_rows

  @inline(__always)
  func take(_ light: LightVector, at x: Int) {
    unsafe hr_store_f32(rows.first + x, root(light.red))
    unsafe hr_store_f32(rows.second + x, root(light.green))
    unsafe hr_store_f32(rows.third + x, root(light.blue))
  }

  @inline(__always)
  private func root(_ light: Floats) -> Floats {
    Root.root(hr_min(hr_max(light, Floats()), Floats(repeating: 1)))
  }
}

/// Maps a scratch row of linear content light to linear display light, in place.
func mapRow(_ p: UnsafePointer<hr_mapping>, _ light: hr_light_rows, count: Int) {
  unsafe mapRow(p, light, LightEnd(rows: light), count)
}

/// Maps a scratch row of linear content light to float rows of roots of linear display light, 1 at full signal.
func mapRow(
  _ p: UnsafePointer<hr_mapping>, _ light: hr_light_rows, toRoots target: hr_float_rows, isFourth: Bool, count: Int
) {
  if isFourth {
    unsafe mapRow(p, light, RootEnd<FourthRoot>(rows: target), count)
  } else {
    unsafe mapRow(p, light, RootEnd<SquareRoot>(rows: target), count)
  }
}

@inline(__always)
private func mapRow<End: RowEnd>(
  _ p: UnsafePointer<hr_mapping>, _ rows: hr_light_rows, _ end: End, _ count: Int
) {
  switch unsafe (p.pointee.tone, p.pointee.is_scene_light != 0) {
  case (HR_TONE_LUMINANCE_GAIN, _): unsafe mapRow(p, LuminanceGainStep.self, rows, end, count)
  case (HR_TONE_MAXIMUM_GAIN, false): unsafe mapRow(p, MaximumGainStep.self, rows, end, count)
  case (HR_TONE_MAXIMUM_GAIN, true): unsafe mapRow(p, SceneMaximumGainStep.self, rows, end, count)
  case (HR_TONE_MIXED_GAIN, false): unsafe mapRow(p, MixedGainStep.self, rows, end, count)
  case (HR_TONE_MIXED_GAIN, true): unsafe mapRow(p, SceneMixedGainStep.self, rows, end, count)
  case (HR_TONE_BT2446A, false): unsafe mapRow(p, BT2446AStep.self, rows, end, count)
  case (HR_TONE_BT2446A, true): unsafe mapRow(p, SceneBT2446AStep.self, rows, end, count)
  default: unsafe mapRow(p, ScaleStep.self, rows, end, count)
  }
}

@inline(__always)
private func mapRow<Tone: ToneStep, End: RowEnd>(
  _ p: UnsafePointer<hr_mapping>, _ tone: Tone.Type, _ rows: hr_light_rows, _ end: End, _ count: Int
) {
  switch unsafe p.pointee.gamut {
  case HR_GAMUT_CONVERT: unsafe mapRow(p, tone, ConvertGamutStep.self, rows, end, count)
  case HR_GAMUT_CLIP: unsafe mapRow(p, tone, ClipGamutStep.self, rows, end, count)
  case HR_GAMUT_COMPRESS: unsafe mapRow(p, tone, CompressGamutStep.self, rows, end, count)
  case HR_GAMUT_PERCEPTUAL: unsafe mapRow(p, tone, PerceptualGamutStep.self, rows, end, count)
  default: unsafe mapRow(p, tone, KeepGamutStep.self, rows, end, count)
  }
}

@inline(__always)
private func mapRow<Tone: ToneStep, Gamut: GamutStep, End: RowEnd>(
  _ p: UnsafePointer<hr_mapping>, _ tone: Tone.Type, _ gamut: Gamut.Type, _ rows: hr_light_rows, _ target: End,
  _ count: Int
) {
  // A local copy, which stores cannot alias: constants stay in registers for the whole row.
  let p = unsafe p.pointee
  let table = unsafe tone.table(p)
  unsafe withBlocks { first, second in
    var (block, next) = unsafe (GainBlock(first), GainBlock(second))
    // Block -1 contains no pixels; its iteration looks up the gains of block 0.
    var start = -HR_GAIN_BLOCK
    while start < count {
      let ahead = start &+ HR_GAIN_BLOCK
      if unsafe table != nil, ahead < count {
        unsafe tone.prepare(p, rows, ahead, min(HR_GAIN_BLOCK, count &- ahead), next)
      }
      var k = 0
      while k < HR_GAIN_BLOCK {
        if let table = unsafe table, ahead &+ k < count { unsafe hr_look_up(table, next.index + k, next.gain + k) }
        let x = start &+ k
        if x >= 0, x < count {
          var light = unsafe LightVector(rows, at: x)
          let gain = unsafe tone.apply(p, &light, k, block)
          unsafe gamut.apply(p, &light, gain)
          target.take(light, at: x)
        }
        k &+= 16
      }
      unsafe swap(&block, &next)
      start = ahead
    }
  }
}

/// Provides memory for the blocks of a row.
@inline(__always)
private func withBlocks(
  _ body: (UnsafeMutablePointer<hr_gain_block>, UnsafeMutablePointer<hr_gain_block>) -> Void
) {
  var memory = (hr_gain_block(), hr_gain_block())
  unsafe withUnsafeMutablePointer(to: &memory.0) { first in
    unsafe withUnsafeMutablePointer(to: &memory.1) { second in unsafe body(first, second) }
  }
}
