internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import ImageFiles
internal import Measurement
internal import Rendering
internal import ToneMapping

/// Everything that a dump does, resolved before the first frame is rendered.
struct DumpPlan {
  let request: PictureRequest
  let picture: PicturePlan
  let source: SourcePlan
  let orientation: Orientation
  /// Shape of a sample, width to height, where it is stated.
  let sampleAspectRatio: Rational?
  let measured: ContentMeasurement?
  /// What the first frame becomes.
  private(set) var rendering: PicturePlan.Rendering
  private(set) var warnings: [String] = []

  /// - Parameters:
  ///   - path: For messages.
  ///   - isStill: The input has one frame.
  /// - Throws: `CommandFailure` where the format cannot hold what is asked for, with what would work.
  init(
    first: CodedFrame, path: String, geometry: GeometryPlan, measured: ContentMeasurement?, isStill: Bool,
    _ request: PictureRequest
  ) throws {
    self.request = request
    self.measured = measured
    orientation = geometry.orientation
    sampleAspectRatio = geometry.sampleAspectRatio
    let isOne = request.selection.isSingle || isStill || request.contact != nil
    if !request.names.hasNumber, !request.format.holdsManyFrames, !isOne {
      throw CommandFailure(
        "'\(request.output)' holds one picture and more are asked for: number the files, as in "
          + "'frame-%06d.\(request.format.suffixes.first ?? "")', or choose one frame with "
          + "\(request.singleFrameOptions).", .usage)
    }
    picture = try PicturePlan(request, color: first.color)
    source = try SourcePlan(
      frame: first, path: path, overrides: request.source.overrides, use: picture.use, measured: measured)
    rendering = try picture.rendering(of: source, first, orientation: orientation)
    if let ratio = geometry.sampleAspectRatio, ratio.value != 1, request.contact == nil,
      ![.y4m, .exr].contains(request.format)
    {
      warnings.append(
        "Samples are \(ratio.numerator):\(ratio.denominator) and not square, which \(request.format.rawValue) does "
          + "not say: --scale makes them square.")
    }
    if let matrix = geometry.displayMatrix, request.keepsCodes {
      warnings.append("Y4M has the codes as they are, and is not turned by \(matrix.rotation.rounded().words)°.")
    }
    warnings += rendering.warnings
    if request.source.light.strict, let warning = warnings.first { throw CommandFailure("\(warning) (--strict)") }
  }

  /// States the light that was measured of what will be coded.
  mutating func state(_ light: ContentLight) { rendering.metadata.contentLight = light.limited(to: rendering.limit) }
}
