internal import ColorScience
internal import Frames
internal import Rendering
internal import Scopes

/// Draws an sRGB picture, such as a legend, on coded frames; its white is SDR white of the display.
final class PanelRenderer {
  private let renderer: FrameRenderer
  private let area: PictureArea

  /// - Parameters:
  ///   - area: Position of panels; its origin is aligned to chroma sites.
  ///   - target: Format of the frames.
  ///   - context: The context of the filters.
  ///   - coding: Stages from the painted light to the coded light.
  init(
    _ area: PictureArea, on target: FrameRenderer.Endpoint, context: FilterContext, coding: [any Stage],
    tier: KernelTier, pool: WorkerPool
  ) throws(RenderingError) {
    self.area = area
    var part = target
    part.format.size = Size(width: area.width, height: area.height)
    let source = FrameRenderer.Endpoint(format: ScopePainter.format(part.format.size), transfer: .sRGB(peak: 1))
    let light = PanelLight(to: context.paintedPrimaries, white: context.paintedWhite)
    renderer = try FrameRenderer(
      source: source, stages: [light] + coding, target: part, tier: tier, pool: pool)
  }

  func render(_ panel: CodedFrame, into frame: CodedFrame) throws(RenderingError) {
    try renderer.render(panel, into: frame.part(area))
  }
}
