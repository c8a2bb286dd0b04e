internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import Patterns

/// How a pattern is coded as video.
struct PatternVideo {
  let signal: PatternSignal
  let layout: PixelLayout
  let color: ColorDescription
  /// FFmpeg's name of the encoder; nil where the container has no usual one, which the writer will say.
  let encoder: String?
  private(set) var warnings: [String] = []

  /// - Throws: `CommandFailure` where the pattern cannot be coded as is asked for, with what would work.
  init(_ pattern: TestPattern, _ kind: PatternSignal.Kind, _ options: PatternOptions, output: String) throws {
    let coding = options.coding
    let format = try MediaWriter.formatName(url: output, format: coding.format)
    let usual = PixelLayout(.ycbcr420, bitDepth: kind == .sdr && pattern.leastBitDepth <= 8 ? 8 : 10)
    var signal = PatternSignal(kind)
    let tags = ColorDescription(primaries: signal.primaries, transfer: signal.transfer, matrix: signal.matrix)
    encoder = coding.encoder ?? Encoders.defaultEncoder(forFormat: format, layout: coding.layout ?? usual, color: tags)
    layout = coding.layout ?? encoder.map { Encoders.layout(near: usual, for: $0) } ?? usual
    guard layout.bitDepth >= pattern.leastBitDepth else {
      throw CommandFailure(
        "\(pattern.name) needs \(pattern.leastBitDepth) bits, and \(layout.name ?? "the pixel format") has "
          + "\(layout.bitDepth): choose --pixel-format yuv420p10le\(encoder.map { ", or an encoder other than \($0)" } ?? "").",
        .usage)
    }
    let isRGB = layout.components == .rgb
    signal.bitDepth = layout.bitDepth
    signal.range = options.range?.code ?? (isRGB && pattern.ranges.contains(.full) ? .full : pattern.ranges[0])
    guard pattern.ranges.contains(signal.range) else {
      throw CommandFailure(
        "\(pattern.name) is defined for \(pattern.ranges[0].words) range: leave --range out, or choose another pattern.",
        .usage)
    }
    self.signal = signal
    let usualSite: ChromaLocation = kind == .sdr || layout.components != .ycbcr420 ? .left : .topLeft
    if options.chromaSite != nil, layout.components != .ycbcr420 {
      throw CommandFailure(
        "--chroma-site is for 4:2:0; chroma of \(layout.name ?? "this") lies where luma does.", .usage)
    }
    color = ColorDescription(
      primaries: signal.primaries, transfer: signal.transfer, matrix: isRGB ? .rgb : signal.matrix,
      range: signal.range, chromaLocation: options.chromaSite?.code ?? usualSite)
    if layout.bitDepth == 8, kind != .sdr {
      warnings.append("Eight bits are too few for HDR and will show bands: choose --pixel-format yuv420p10le.")
    }
  }
}
