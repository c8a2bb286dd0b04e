internal import ColorScience
internal import Frames
internal import Rendering
internal import Scopes

/// Puts a picture in sRGB, such as a legend, on coded frames: its white is SDR white of the display.
final class PanelRenderer {
  private let renderer: FrameRenderer
  private let area: PictureArea

  /// - Parameters:
  ///   - area: Where panels of this size go; it begins where the layout of frames lets it.
  ///   - target: What frames are.
  ///   - context: What filters paint in.
  ///   - coding: Stages from the light that filters paint to that which is coded.
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
