internal import ColorScience
internal import Filters
internal import Frames
internal import Rendering
internal import ToneMapping

/// A render to measure: a source, a display and a target, resolved as in a transcode.
struct RenderCase {
  let name: String
  let source: PixelFormat
  let target: PixelFormat
  let display: Display
  var gamut = GamutMapping.Method.perceptual

  private static let sdrDisplay = Display(sdrWhite: 100, peak: 100, primaries: .bt709)

  /// HDR10 to SDR with a headroom of 1: the system tone map, the default gamut map, dithered 8-bit, left-sited chroma.
  static func standard(_ size: Size) -> RenderCase {
    sdr("HDR10 to SDR, 8 bit", size)
  }

  static func variants(_ size: Size) -> [RenderCase] {
    [
      standard(size),
      sdr("P010 in", size, packing: .semiplanar),
      sdr("10 bit out", size, targetDepth: 10),
      sdr("HLG in", size, color: SampleFile.hlgColor),
      hdr10(size),
    ]
  }

  static func hdr10(_ size: Size) -> RenderCase {
    RenderCase(
      name: "HDR10 to HDR10, peak 600",
      source: PixelFormat(size: size, layout: PixelLayout(.ycbcr420, bitDepth: 10), color: SampleFile.color),
      target: PixelFormat(size: size, layout: PixelLayout(.ycbcr420, bitDepth: 10), color: SampleFile.color),
      display: Display(sdrWhite: ToneConditions.defaultReferenceWhite, peak: 600, primaries: .bt2020))
  }

  /// Returns a renderer for several cases of one source.
  static func renderer(
    _ cases: [RenderCase], trunk: [any Stage] = [], pool: WorkerPool
  ) throws -> FrameRenderer {
    try FrameRenderer(
      source: FrameRenderer.Endpoint(format: cases[0].source, transfer: cases[0].content().transfer), trunk: trunk,
      outputs: cases.map {
        FrameRenderer.Output(
          stages: [try $0.mapping()],
          end: .coded(FrameRenderer.Endpoint(format: $0.target, transfer: $0.targetTransfer)))
      }, pool: pool)
  }

  private static func sdr(
    _ name: String, _ size: Size, packing: PixelLayout.Packing = .planar,
    color: ColorDescription = SampleFile.color, targetDepth: Int = 8
  ) -> RenderCase {
    RenderCase(
      name: name,
      source: PixelFormat(
        size: size, layout: PixelLayout(.ycbcr420, bitDepth: 10, packing: packing), color: color),
      target: PixelFormat(size: size, layout: PixelLayout(.ycbcr420, bitDepth: targetDepth), color: .bt709),
      display: sdrDisplay)
  }

  func content() throws -> ContentInterpretation { try ContentInterpretation(color: source.color) }

  func mapping() throws -> DisplayMapping { DisplayMapping(settings(try content())) }

  private func settings(_ content: ContentInterpretation) -> DisplayMapping.Settings {
    DisplayMapping.Settings(metadata: content.metadata, primaries: content.primaries, gamut: gamut, display: display)
  }

  var targetTransfer: SignalTransfer {
    target.color.transfer == .pq ? .pq(unit: display.sdrWhite) : .bt1886(peak: display.headroom)
  }

  func renderer(tier: KernelTier, pool: WorkerPool, filters: [Filter] = []) throws -> FrameRenderer {
    try filtering(filters, tier: tier, pool: pool).renderer
  }

  /// Returns the renderer, and the filters that finish its frames.
  func filtering(
    _ filters: [Filter], counters: [any Stage] = [], tier: KernelTier, pool: WorkerPool
  ) throws -> (renderer: FrameRenderer, session: FilterSession) {
    let content = try content()
    let end = FrameRenderer.Endpoint(format: target, transfer: targetTransfer)
    let context = FilterContext(
      content: content, mapping: settings(content), sdrWhite: display.sdrWhite, size: source.size, workers: pool.count)
    let session = try FilterSession(filters, context, target: end, coding: [], tier: tier, pool: pool)
    let renderer = try FrameRenderer(
      source: FrameRenderer.Endpoint(format: source, transfer: content.transfer),
      stages: counters + session.stages(around: settings(content)), target: end, tier: tier, pool: pool)
    return (renderer, session)
  }

  /// Returns `frames` with the colour tags of this case.
  func described(_ frames: [CodedFrame]) -> [CodedFrame] { frames.map { $0.described(as: source.color) } }

  func emptyTarget() -> CodedFrame { CodedFrame(size: target.size, layout: target.layout, color: target.color) }
}
