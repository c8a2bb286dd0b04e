internal import ColorScience
public import Frames
public import Rendering

/// Converts decoded frames and stills of one format to scene-referred light.
///
/// Integer R'G'B' and grey are converted by exact tables, linear half floats unchanged, and Y'CbCr by a renderer.
/// Transfer functions are inverted as encoded (H.273): sRGB and power functions as in displays, HLG and BT.709 by their
/// inverse OETF. PQ light, which is display-referred, is assumed to be proportional to scene light.
public struct SceneConversion: Sendable {
  /// Format of the frames.
  public let format: PixelFormat
  private let components: SceneDescription.Components
  private let scale: SampleScale
  private let curve: SceneCurve
  /// Light for each code or half-float bit pattern of a sample.
  private let table: FloatTable
  /// Converts formats other than R'G'B' and grey.
  private let renderer: FrameRenderer?
  private let pool: WorkerPool

  /// - Parameters:
  ///   - format: Format of the frames, with all tags specified.
  ///   - pool: Worker threads.
  /// - Throws: `SceneConversionError` for unsupported formats.
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

  /// Returns the light of a frame.
  /// - Parameters:
  ///   - frame: A frame in `format`.
  ///   - orientation: Rotation of the picture.
  ///   - exposure: Exposure from the file's metadata.
  /// - Throws: `SceneConversionError.rendering` if the frame is not in `format`.
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

  /// Returns planes whose samples the table covers.
  private func planes(of frame: CodedFrame) throws(SceneConversionError) -> CodedFrame {
    guard let renderer else { return frame.planar }
    do { return try renderer.linearFrame(frame).coded(color: format.color) } catch { throw .rendering(error) }
  }
}
