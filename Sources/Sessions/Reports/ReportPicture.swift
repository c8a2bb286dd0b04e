internal import ColorScience
internal import Frames
internal import ImageFiles
internal import Rendering
internal import ToneMapping

/// A small picture of a frame for viewing, mapped to sRGB.
struct ReportPicture {
  /// Maximum width in pixels.
  private static let maximumColumns = 1280

  /// The PNG data.
  let png: [UInt8]

  /// - Parameter source: How the frame is interpreted.
  init(of frame: CodedFrame, _ source: SourcePlan, processing: ProcessingRequest) throws {
    let white = EDRMetadata.defaultOpticalOutputScale
    let display = Display(sdrWhite: white, peak: white, primaries: .bt709)
    let mapping = DisplayMapping(
      DisplayMapping.Settings(
        metadata: source.interpretation.metadata, primaries: source.interpretation.primaries, curve: .system,
        display: display))
    let format = PixelFormat(size: frame.size, layout: PixelLayout(.rgb, bitDepth: 8), color: ImageSpace.sRGB.color)
    let renderer = try FrameRenderer(
      source: FrameRenderer.Endpoint(
        format: frame.described(as: source.color).format, transfer: source.interpretation.transfer),
      stages: [mapping], target: FrameRenderer.Endpoint(format: format, transfer: .sRGB(peak: 1)), dither: false,
      tier: processing.kernels, pool: WorkerPool(count: processing.threads))
    let picture = CodedFrame(size: format.size, layout: format.layout, color: format.color)
    try renderer.render(frame.described(as: source.color), into: picture)
    png = try PNGEncoder().encode(picture.reduced(toColumns: Self.maximumColumns))
  }
}
