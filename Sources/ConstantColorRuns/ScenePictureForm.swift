internal import ColorScience
internal import ConstantColor
internal import Frames
internal import ImageFiles
internal import Rendering
internal import Sessions
internal import ToneMapping

/// The picture format in which light is written; 1 is white.
///
/// White is SDR white, and a tone curve compresses highlights above it; PQ, HLG and linear light keep the highlights.
/// Source of their white, 203 cd/m² or 75 % of HLG: ITU-R BT.2408-7, 2.1.
struct ScenePictureForm {
  let format: ImageFormat
  let space: ImageSpace
  let bitDepth: Int?

  var primaries: RGBSpace { space.primaries.space ?? .bt709 }

  /// Encodes a picture file.
  /// - Parameter light: In `primaries`.
  func encode(_ light: LinearFrame, pool: WorkerPool) throws -> [UInt8] {
    try format.encoder().encode(frame(of: light, pool: pool))
  }

  private func frame(of light: LinearFrame, pool: WorkerPool) throws -> CodedFrame {
    let color = ColorDescription(primaries: space.primaries, transfer: .linear, matrix: .rgb, range: .full)
    let source = light.coded(color: color)
    if space.isLinear { return source }
    let encoding = encoding
    let form = format.pixelFormat(light.size, in: space, bitDepth: bitDepth)
    let target = CodedFrame(size: form.size, layout: form.layout, color: form.color)
    let renderer = try FrameRenderer(
      source: FrameRenderer.Endpoint(format: source.format, transfer: .linear(unit: 1)),
      stages: (space.isHDR ? [] : [GlobalToneCurve()]) + encoding.rendering.stages(for: nil),
      target: FrameRenderer.Endpoint(format: target.format, transfer: encoding.transfer), pool: pool)
    try renderer.render(source, into: target)
    return target
  }

  private var encoding: OutputEncoding {
    let white = space.isHDR ? ToneConditions.defaultReferenceWhite : EDRMetadata.defaultOpticalOutputScale
    let peak = space.isHDR ? EDRMetadata.defaultMaxLuminance : white
    return OutputEncoding.mapped(
      Display(sdrWhite: white, peak: peak, primaries: primaries), in: space, by: DisplayRendering())
  }
}

extension ScenePictureForm {
  /// A small sRGB picture for display.
  static let shown = ScenePictureForm(format: .png, space: .sRGB, bitDepth: 8)
}
