internal import ColorScience
internal import Frames
internal import ImageFiles
internal import Rendering
internal import ToneMapping

/// A frame as a small picture for people, mapped to sRGB.
struct ReportPicture {
  /// Columns that it has at most.
  private static let maximumColumns = 1280

  /// The bytes of a PNG.
  let png: [UInt8]

  /// - Parameter source: What the frame is.
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
    png = try PNGEncoder().encode(Self.reduced(picture))
  }

  /// Means of squares of as many pixels as bring it to its width.
  private static func reduced(_ picture: CodedFrame) -> CodedFrame {
    let step = (picture.size.width + maximumColumns - 1) / maximumColumns
    if step == 1 { return picture }
    let size = Size(width: max(picture.size.width / step, 1), height: max(picture.size.height / step, 1))
    let result = CodedFrame(size: size, layout: picture.layout, color: picture.color)
    let rows = min(step, picture.size.height)
    for plane in 0..<3 {
      for y in 0..<size.height {
        for x in 0..<size.width {
          var sum = 0
          for row in 0..<rows {
            for column in 0..<step { sum += picture.sample(plane: plane, x: step * x + column, y: rows * y + row) }
          }
          result.setSample(sum / (rows * step), plane: plane, x: x, y: y)
        }
      }
    }
    return result
  }
}
