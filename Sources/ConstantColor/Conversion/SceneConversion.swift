internal import ColorScience
public import Frames
public import Rendering

/// Converts decoded frames and stills of one format to scene-referred light.
///
/// Integer R'G'B' and grey are converted by exact tables, linear half floats as they are, and Y'CbCr by a renderer.
/// Curves are inverted as the encoder applied them (H.273): sRGB and powers as displays do too, HLG and BT.709 by their
/// inverse OETF. The light of PQ, which is that of a display, is taken to be proportional to that of the scene.
public struct SceneConversion: Sendable {
  /// Format of the frames.
  public let format: PixelFormat
  private let components: SceneDescription.Components
  private let scale: SampleScale
  private let curve: SceneCurve
  /// Light by the code or the bits of a sample.
  private let table: FloatTable
  /// For what is not R'G'B' or grey.
  private let renderer: FrameRenderer?
  private let pool: WorkerPool

  /// - Parameters:
  ///   - format: Format of the frames; no tag may be unspecified.
  ///   - pool: The threads that share the work.
  /// - Throws: `SceneConversionError` for formats that cannot be converted.
  public init(_ format: PixelFormat, pool: WorkerPool) throws(SceneConversionError) {
    guard let space = format.color.primaries.space else { throw .unsupportedPrimaries(format.color.primaries) }
    guard (8...16).contains(format.layout.bitDepth) else { throw .rendering(.unsupportedSource(format.layout)) }
    (self.format, self.pool, components) = (format, pool, .rgb(space))
    scale = SampleScale(bitDepth: format.layout.bitDepth, range: format.color.range)
    curve = try SceneCurve(format.color.transfer)
    if format.layout.samples == .half {
      (table, renderer) = (FloatTable(SceneCurve.lightOfHalves()), nil)
    } else if [.rgb, .gray].contains(format.layout.components) {
      (table, renderer) = (FloatTable(curve.light(ofCodes: scale)), nil)
    } else {
      let source = FrameRenderer.Endpoint(format: format, transfer: curve.carrier)
      do {
        renderer = try FrameRenderer(source: source, outputs: [FrameRenderer.Output(end: .linear)], pool: pool)
      } catch { throw .rendering(error) }
      table = FloatTable(curve.lightOfCarrier())
    }
  }

  /// The light of a frame.
  /// - Parameters:
  ///   - frame: A frame of the format.
  ///   - orientation: How the picture is rotated.
  ///   - exposure: What its file states.
  /// - Throws: `SceneConversionError.rendering` if the frame does not have the format.
  public func image(
    of frame: CodedFrame, orientation: Orientation = .identity, exposure: Exposure? = nil
  ) throws(SceneConversionError) -> SceneImage {
    guard frame.format == format else {
      throw .rendering(.formatMismatch(expected: format, actual: frame.format))
    }
    var description = SceneDescription(components: components, exposure: exposure)
    if format.layout.samples == .half {
      description.saturation = SharedMaximum.saturation(of: frame, pool: pool)
    } else {
      (description.saturation, description.quantum) = (
        SIMD3(repeating: curve.saturation(scale, frame.metadata)), curve.quantum(scale)
      )
    }
    let image = SceneImage(size: orientation.rotated(frame.size), description: description)
    SceneRows(image: image, orientation: orientation, table: table).fill(from: try planes(of: frame), pool: pool)
    return image
  }

  /// Planes whose samples the table has.
  private func planes(of frame: CodedFrame) throws(SceneConversionError) -> CodedFrame {
    guard let renderer else { return frame.planar }
    do { return try renderer.linearFrame(frame).coded(color: format.color) } catch { throw .rendering(error) }
  }
}
