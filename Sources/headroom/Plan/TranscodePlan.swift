internal import ColorScience
internal import FFmpegIO
internal import Foundation
internal import Frames
internal import Rendering
internal import ToneMapping

/// Everything that a transcode does, resolved before the first frame is rendered.
struct TranscodePlan {
  var source: SourcePlan
  var target: TargetPlan
  var writer: MediaWriter.Settings
  var selection: FrameSelection
  /// What the output cannot hold or will show badly.
  var warnings: [String] = []

  init(
    reader: MediaReader, first: CodedFrame, input: InputOptions, mapping: MappingOptions, output: OutputOptions
  ) throws {
    source = try SourcePlan(
      frame: first, video: reader.video, path: reader.info.url, options: input, use: mapping.sceneUse)
    target = try TargetPlan(source, options: mapping)
    selection = FrameSelection(output)
    let url = output.output ?? "-"
    let format = try MediaWriter.formatName(url: url, format: output.format)
    let layout = try Self.layout(output, format: format, color: target.color)
    if layout.components != .ycbcr420 { target.color.chromaLocation = .left }
    if reader.video.rotation != 0, !["mp4", "mov", "null", "framemd5"].contains(format) {
      warnings.append(
        "The picture is to be shown rotated by \(reader.video.rotation.words)°, which \(format) cannot say.")
    }
    if layout.bitDepth == 8, target.color.transfer != .bt709 {
      warnings.append("Eight bits are too few for HDR and will show bands: choose --pixel-format yuv420p10le.")
    }
    let rate = reader.video.averageFrameRate ?? reader.video.realFrameRate
    var settings = MediaWriter.Settings(
      url: url, format: output.format, encoder: output.encoder, size: first.size, layout: layout,
      timeBase: try Self.timeBase(reader.video, rate: rate, output), frameRate: rate, color: target.color)
    settings.preset = output.preset
    settings.crf = output.crf
    settings.encoderOptions = try output.parsedEncoderOptions()
    settings.metadata = target.metadata
    settings.sampleAspectRatio = reader.video.sampleAspectRatio
    settings.displayMatrix = reader.video.displayMatrix
    writer = settings
  }

  /// The input's, so that times stay as they are; in containers that know no times but a frame rate, one frame.
  private static func timeBase(
    _ video: VideoStreamInfo, rate: Rational?, _ output: OutputOptions
  ) throws -> Rational {
    let keepsTimes = try MediaWriter.keepsTimes(url: output.output ?? "-", format: output.format)
    guard !keepsTimes, let rate, rate.numerator > 0 else { return video.timeBase }
    return Rational(rate.denominator, rate.numerator)
  }

  /// The asked-for layout, or the first that the encoder takes: 4:2:0 of eight bits for SDR, of ten for HDR.
  private static func layout(_ output: OutputOptions, format: String, color: ColorDescription) throws -> PixelLayout {
    if let name = output.pixelFormat, let layout = PixelLayout(name: name) { return layout }
    let isSDR = color.transfer == .bt709
    let usual = PixelLayout(.ycbcr420, bitDepth: isSDR ? 8 : 10)
    let encoder = output.encoder ?? Encoders.defaultEncoder(forFormat: format, layout: usual, color: color)
    guard let encoder, let supported = Encoders.available[encoder] else { return usual }
    let candidates = [
      usual, PixelLayout(.ycbcr420, bitDepth: 10), PixelLayout(.ycbcr422, bitDepth: 10),
      PixelLayout(.ycbcr444, bitDepth: 10), PixelLayout(.ycbcr420, bitDepth: 8), PixelLayout(.ycbcr422, bitDepth: 8),
      PixelLayout(.ycbcr444, bitDepth: 8),
    ]
    return candidates.first(where: supported.contains) ?? usual
  }

  /// What will be done, in one line.
  var summary: String {
    let kind = source.interpretation.metadata?.kind
    let content = target.mapping(for: source.scene).contentPeak.map { ", peak \(nits($0))" } ?? ""
    let from =
      switch kind {
      case .hdr10: "HDR10"
      case .hlg: "HLG"
      case nil: "SDR"
      }
    let to =
      switch target.color.transfer {
      case .pq: "HDR10, peak \(nits(target.display.peak))"
      case .hlg: "HLG for \(nits(target.display.peak))"
      default: "SDR BT.709, white \(nits(target.display.sdrWhite)), headroom \(round(target.display.headroom))"
      }
    let curve = kind == nil ? "no tone mapping" : "tone map \(source.scene?.curveName ?? target.mapping.curve.name)"
    let isSameGamut = source.interpretation.primaries == target.display.primaries.space
    return "\(from) \(source.color.primaries)\(content) -> \(to); \(curve)"
      + (isSameGamut ? "" : ", gamut \(target.mapping.gamut.rawValue)")
  }

  private func nits(_ value: Double) -> String { round(value) + " cd/m²" }

  private func round(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(format: "%.2f", value)
  }
}

extension SceneParameters {
  /// The standard that states the curve; nil without one.
  fileprivate var curveName: String? {
    switch curve {
    case .hdr10Plus: "st2094-40"
    case .renditions: "st2094-50"
    case nil: nil
    }
  }
}
