internal import ColorScience
internal import Frames
internal import Rendering
internal import Scopes
internal import ToneMapping

/// Counts frames for scopes as they are shown: turned where the plan turns them.
final class ScopeCounter {
  private enum Way {
    case upright(ScopeFrameMeter)
    /// Columns of a waveform are those of the turned picture: the light is turned on its way to a frame that nobody looks at.
    case turned(ScopeMeter, FrameRenderer, CodedFrame)
  }

  private let way: Way
  private let color: ColorDescription
  private(set) var counts: ScopeCounts
  /// As frames come in, before overrides.
  private let format: PixelFormat

  init(_ plan: ScopesPlan, first: CodedFrame, sdrWhite: Double, processing: ProcessingOptions, pool: WorkerPool) throws
  {
    color = plan.source.color
    counts = ScopeCounts(size: first.size, columns: 0)
    self.format = first.format
    let content = plan.source.interpretation
    let format = first.described(as: color).format
    guard plan.orientation != .identity else {
      way = .upright(
        try ScopeFrameMeter(
          format: format, content: content, sdrWhite: sdrWhite, settings: plan.settings, tier: processing.kernels,
          pool: pool))
      return
    }
    let size = plan.orientation.turned(first.size)
    let meter = ScopeMeter(
      size: size, content: content, sdrWhite: sdrWhite, settings: plan.settings, workers: pool.count)
    let light = CodedFrame(
      size: size, layout: .linearRGB,
      color: ColorDescription(primaries: color.primaries, transfer: .linear, matrix: .rgb, range: .full))
    let renderer = try FrameRenderer(
      source: FrameRenderer.Endpoint(format: format, transfer: content.transfer), stages: [meter],
      target: FrameRenderer.Endpoint(format: light.format, transfer: .linear(unit: 1)),
      orientation: plan.orientation, tier: processing.kernels, pool: pool)
    way = .turned(meter, renderer, light)
  }

  /// Leaves the counts of a frame in `counts`.
  /// - Throws: `CommandFailure` where the stream changes: axes and graticules are made for what it was.
  func count(_ frame: CodedFrame) throws {
    guard frame.format == format else {
      throw CommandFailure(
        "The video changes in the middle, to \(frame.color.words), \(frame.size): draw the parts by themselves, with "
          + "--frames or --start and --duration.")
    }
    let frame = frame.described(as: color)
    switch way {
    case .upright(let meter): try meter.count(frame, into: &counts)
    case .turned(let meter, let renderer, let light):
      try renderer.render(frame, into: light)
      meter.takeCounts(into: &counts)
    }
  }
}
