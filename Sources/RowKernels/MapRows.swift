public import SIMDShims

/// Half-float rows of R, G and B.
@unsafe
struct LightRows {
  let red: UnsafeMutablePointer<Float16>
  let green: UnsafeMutablePointer<Float16>
  let blue: UnsafeMutablePointer<Float16>
  let count: Int
}

/// Where mapped light goes. A type per kind, as for `ToneStep`.
protocol RowEnd {
  func take(_ light: LightVector, at x: Int)
}

/// Back to where it came from, as half float.
@unsafe
struct LightEnd: RowEnd {
  let rows: LightRows

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
  let red: UnsafeMutablePointer<Float>
  let green: UnsafeMutablePointer<Float>
  let blue: UnsafeMutablePointer<Float>

  @inline(__always)
  func take(_ light: LightVector, at x: Int) {
    unsafe hr_store_f32(red + x, light.red)
    unsafe hr_store_f32(green + x, light.green)
    unsafe hr_store_f32(blue + x, light.blue)
  }
}

/// One scratch row of linear content light to linear display light, in place.
@export(interface)
public func mapRow(
  _ p: UnsafePointer<hr_mapping>, red: UnsafeMutablePointer<Float16>, green: UnsafeMutablePointer<Float16>,
  blue: UnsafeMutablePointer<Float16>, count: Int
) {
  let rows = unsafe LightRows(red: red, green: green, blue: blue, count: count)
  unsafe mapRow(p, rows, LightEnd(rows: rows))
}

/// One scratch row of linear content light to float rows of linear display light.
@export(interface)
public func mapRow(
  _ p: UnsafePointer<hr_mapping>, red: UnsafeMutablePointer<Float16>, green: UnsafeMutablePointer<Float16>,
  blue: UnsafeMutablePointer<Float16>, toRed: UnsafeMutablePointer<Float>, toGreen: UnsafeMutablePointer<Float>,
  toBlue: UnsafeMutablePointer<Float>, count: Int
) {
  let rows = unsafe LightRows(red: red, green: green, blue: blue, count: count)
  unsafe mapRow(p, rows, FloatEnd(red: toRed, green: toGreen, blue: toBlue))
}

@inline(__always)
private func mapRow<End: RowEnd>(_ p: UnsafePointer<hr_mapping>, _ rows: LightRows, _ end: End) {
  switch unsafe (p.pointee.tone, p.pointee.is_scene_light != 0) {
  case (HR_TONE_LUMINANCE_GAIN, _): unsafe mapRow(p, LuminanceGainStep.self, rows, end)
  case (HR_TONE_MAXIMUM_GAIN, false): unsafe mapRow(p, MaximumGainStep.self, rows, end)
  case (HR_TONE_MAXIMUM_GAIN, true): unsafe mapRow(p, SceneStep<MaximumGainStep>.self, rows, end)
  case (HR_TONE_BT2446A, false): unsafe mapRow(p, BT2446AStep.self, rows, end)
  case (HR_TONE_BT2446A, true): unsafe mapRow(p, SceneStep<BT2446AStep>.self, rows, end)
  default: unsafe mapRow(p, ScaleStep.self, rows, end)
  }
}

@inline(__always)
private func mapRow<Tone: ToneStep, End: RowEnd>(
  _ p: UnsafePointer<hr_mapping>, _ tone: Tone.Type, _ rows: LightRows, _ end: End
) {
  switch unsafe p.pointee.gamut {
  case HR_GAMUT_CLIP: unsafe mapRow(p, tone, ClipGamutStep.self, rows, end)
  case HR_GAMUT_COMPRESS: unsafe mapRow(p, tone, CompressGamutStep.self, rows, end)
  default: unsafe mapRow(p, tone, KeepGamutStep.self, rows, end)
  }
}

@inline(__always)
private func mapRow<Tone: ToneStep, Gamut: GamutStep, End: RowEnd>(
  _ p: UnsafePointer<hr_mapping>, _ tone: Tone.Type, _ gamut: Gamut.Type, _ rows: LightRows, _ end: End
) {
  var x = 0
  while unsafe x < rows.count {
    var light = unsafe LightVector(
      red: hr_from_half(hr_load_f16(rows.red + x)), green: hr_from_half(hr_load_f16(rows.green + x)),
      blue: hr_from_half(hr_load_f16(rows.blue + x)))
    unsafe tone.apply(p, &light)
    unsafe gamut.apply(p, &light)
    end.take(light, at: x)
    x &+= 16
  }
}
