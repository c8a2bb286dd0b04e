internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import Patterns

/// The video form of a pattern.
struct PatternVideo {
  let signal: PatternSignal
  let layout: PixelLayout
  let color: ColorDescription
  /// FFmpeg's name of the encoder; nil if the container has no default, which the writer reports.
  let encoder: String?
  private(set) var warnings: [Message] = []

  /// - Throws: `Refusal` if the pattern cannot be coded as requested, with what would work.
  init(_ pattern: TestPattern, _ kind: PatternSignal.Kind, _ request: PatternRequest) throws {
    let coding = request.coding
    let format = try MediaWriter.formatName(url: request.output, format: coding.format)
    let preferred = PixelLayout(.ycbcr420, bitDepth: kind.isSDR && pattern.minimumBitDepth <= 8 ? 8 : 10)
    var signal = PatternSignal(kind)
    let tags = ColorDescription(primaries: signal.primaries, transfer: signal.transfer, matrix: signal.matrix)
    encoder =
      coding.encoder(forFormat: format, layout: coding.layout ?? preferred, color: tags)
    layout = coding.layout ?? encoder.map { Encoders.layout(near: preferred, for: $0) } ?? preferred
    guard layout.bitDepth >= pattern.minimumBitDepth else {
      let name = layout.name ?? "the pixel format"
      let other = encoder.map { ", or an encoder other than \($0)" } ?? ""
      throw Refusal.invalid(
        "pattern-needs-video-bits",
        "\(pattern.name) needs \(pattern.minimumBitDepth.counting("bit")), but \(name) has \(layout.bitDepth): choose "
          + "\(.pixelFormat, "yuv420p10le")\(other).")
    }
    let isRGB = layout.components == .rgb
    signal.bitDepth = layout.bitDepth
    signal.range = request.range ?? (isRGB && pattern.ranges.contains(.full) ? .full : pattern.ranges[0])
    guard pattern.ranges.contains(signal.range) else {
      throw Refusal.invalid(
        "pattern-range-unavailable",
        "\(pattern.name) is defined for \(pattern.ranges[0].words) range: omit \(.range), or choose another pattern.")
    }
    self.signal = signal
    let defaultSite: ChromaLocation = kind.isSDR || layout.components != .ycbcr420 ? .left : .topLeft
    if request.chromaLocation != nil, layout.components != .ycbcr420 {
      throw Refusal.invalid(
        "chroma-location-without-420",
        "\(.chromaLocation) is for 4:2:0; the chroma of \(layout.name ?? "this") is co-sited with luma.")
    }
    color = ColorDescription(
      primaries: signal.primaries, transfer: signal.transfer, matrix: isRGB ? .rgb : signal.matrix,
      range: signal.range, chromaLocation: request.chromaLocation ?? defaultSite)
    if layout.bitDepth == 8, !kind.isSDR {
      warnings.append(.eightBitHDR)
    }
  }
}
