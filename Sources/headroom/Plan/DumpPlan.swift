internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import ImageFiles
internal import Measurement
internal import Rendering
internal import ToneMapping

/// Everything that a dump does, resolved before the first frame is rendered.
struct DumpPlan {
  let options: DumpOptions
  let picture: PicturePlan
  let source: SourcePlan
  let orientation: Orientation
  /// Shape of a sample, width to height, where it is stated.
  let sampleAspectRatio: Rational?
  let measured: ContentMeasurement?
  let selection: FrameSelection
  let names: FileNames
  /// Number of the first file.
  let firstNumber: Int
  /// What the first frame becomes.
  let rendering: PicturePlan.Rendering
  private(set) var warnings: [String] = []

  /// - Parameters:
  ///   - path: For messages.
  ///   - isStill: The input has one frame.
  /// - Throws: `CommandFailure` where the format cannot hold what is asked for, with what would work.
  init(
    first: CodedFrame, path: String, geometry: GeometryPlan, measured: ContentMeasurement?, isStill: Bool,
    options: DumpOptions
  ) throws {
    let output = options.output
    self.options = options
    self.measured = measured
    orientation = geometry.orientation
    sampleAspectRatio = geometry.sampleAspectRatio
    selection = FrameSelection(output)
    picture = try PicturePlan(
      format: output.chosenFormat(), color: first.color, options: options)
    source = try SourcePlan(
      frame: first, path: path, overrides: options.source.overrides, use: picture.use, measured: measured)
    names = try Self.names(output, picture.format, selection, isStill: isStill)
    firstNumber = output.startNumber ?? selection.range?.first ?? 0
    rendering = try picture.rendering(of: source, first, orientation: orientation)
    if let ratio = geometry.sampleAspectRatio, ratio.value != 1, picture.format != .y4m {
      warnings.append(
        "Samples are \(ratio.numerator):\(ratio.denominator) and not square, which \(picture.format.rawValue) does "
          + "not say: --scale makes them square.")
    }
    warnings += rendering.warnings
    if options.source.light.strict, let warning = warnings.first { throw CommandFailure("\(warning) (--strict)") }
  }

  private static func names(
    _ output: FrameOutputOptions, _ format: ImageFormat, _ selection: FrameSelection, isStill: Bool
  ) throws -> FileNames {
    let names: FileNames
    do {
      // The name of standard output is no pattern, and holds no number.
      names = try FileNames(output.output)
    } catch {
      throw CommandFailure(error, pattern: output.output)
    }
    let suffix = "." + (format.suffixes.first ?? "")
    if !names.hasNumber, !format.holdsManyFrames, !selection.isSingle, !isStill, output.contact == nil {
      throw CommandFailure(
        "'\(output.output)' holds one picture and more are asked for: number the files, as in 'frame-%06d\(suffix)', "
          + "or choose one frame with --at or --frames.", .usage)
    }
    return names
  }
}
