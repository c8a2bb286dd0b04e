internal import SIMDShims

/// Where mapped light goes. A type per kind, as for `ToneStep`.
protocol RowEnd {
  func take(_ light: LightVector, at x: Int)
}

/// Back to where it came from, as half float.
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

/// To float rows, without rounding to half float.
@unsafe
struct FloatEnd: RowEnd {
  let rows: hr_float_rows

  @inline(__always)
  func take(_ light: LightVector, at x: Int) {
    unsafe hr_store_f32(rows.first + x, light.red)
    unsafe hr_store_f32(rows.second + x, light.green)
    unsafe hr_store_f32(rows.third + x, light.blue)
  }
}

/// One scratch row of linear content light to linear display light, in place.
func mapRow(_ p: UnsafePointer<hr_mapping>, _ light: hr_light_rows, count: Int) {
  unsafe mapRow(p, light, LightEnd(rows: light), count)
}

/// One scratch row of linear content light to float rows of linear display light.
func mapRow(_ p: UnsafePointer<hr_mapping>, _ light: hr_light_rows, to target: hr_float_rows, count: Int) {
  unsafe mapRow(p, light, FloatEnd(rows: target), count)
}

@inline(__always)
private func mapRow<End: RowEnd>(
  _ p: UnsafePointer<hr_mapping>, _ rows: hr_light_rows, _ end: End, _ count: Int
) {
  switch unsafe (p.pointee.tone, p.pointee.is_scene_light != 0) {
  case (HR_TONE_LUMINANCE_GAIN, _): unsafe mapRow(p, LuminanceGainStep.self, rows, end, count)
  case (HR_TONE_MAXIMUM_GAIN, false): unsafe mapRow(p, MaximumGainStep.self, rows, end, count)
  case (HR_TONE_MAXIMUM_GAIN, true): unsafe mapRow(p, SceneMaximumGainStep.self, rows, end, count)
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
  case HR_GAMUT_CLIP: unsafe mapRow(p, tone, ClipGamutStep.self, rows, end, count)
  case HR_GAMUT_COMPRESS: unsafe mapRow(p, tone, CompressGamutStep.self, rows, end, count)
  default: unsafe mapRow(p, tone, KeepGamutStep.self, rows, end, count)
  }
}

@inline(__always)
private func mapRow<Tone: ToneStep, Gamut: GamutStep, End: RowEnd>(
  _ p: UnsafePointer<hr_mapping>, _ tone: Tone.Type, _ gamut: Gamut.Type, _ rows: hr_light_rows, _ target: End,
  _ count: Int
) {
  // A copy, which no store can change: constants stay where they are for the whole row.
  let p = unsafe p.pointee
  var memory = hr_gain_block()
  unsafe withUnsafeMutablePointer(to: &memory) { memory in
    let block = unsafe GainBlock(memory)
    var start = 0
    while start < count {
      let end = min(start &+ Int(HR_GAIN_BLOCK), count)
      unsafe tone.prepare(p, rows, start..<end, block)
      var x = start
      while x < end {
        var light = unsafe LightVector(rows, at: x)
        let gain = unsafe tone.apply(p, &light, hr_load_f32(block.gain + (x &- start)))
        unsafe gamut.apply(p, &light, gain)
        target.take(light, at: x)
        x &+= 16
      }
      start = end
    }
  }
}
