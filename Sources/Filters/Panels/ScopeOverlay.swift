internal import Frames
internal import Lettering
internal import Rendering
internal import Scopes
internal import ToneMapping

/// The scopes of one filter: counted while frames are rendered, drawn afterwards.
final class ScopeOverlay {
  let analyzer: ScopeAnalyzer
  private let painter: ScopePainter
  private let painted: CodedFrame
  private var counts: ScopeCounts
  private let renderer: PanelRenderer

  /// - Throws: `FilterFailure` if the scopes do not fit in the picture, `RenderingError`, `LetteringError`.
  init(
    _ panel: ScopePanel, _ context: FilterContext, target: FrameRenderer.Endpoint, coding: [any Stage],
    tier: KernelTier, pool: WorkerPool
  ) throws {
    let layout: ScopeLayout
    do {
      layout = try panel.layout(context.size)
    } catch {
      throw FilterFailure(
        "In a picture of \(context.size): \(error.description) Make share= of scopes larger, show= fewer, or "
          + "place= them right or below.")
    }
    let content = context.content
    analyzer = ScopeAnalyzer(
      size: context.size, content: content, sdrWhite: context.sdrWhite,
      settings: ScopeSettings(
        kinds: Set(panel.kinds), plane: panel.plane, columns: layout.columns,
        rowStep: panel.rowStep ?? ScopeSettings.liveRowStep(height: context.size.height)),
      workers: context.workers)
    let marks = ScopeMarks(
      sdrWhite: context.sdrWhite, peak: context.mapping?.contentPeak ?? content.metadata?.contentPeak)
    painter = ScopePainter(
      layout: layout, plane: panel.plane, primaries: content.primaries, marks: marks, typeface: try Typeface.default())
    let format = ScopePainter.format(layout.size)
    counts = ScopeCounts(size: context.size, columns: 0)
    painted = CodedFrame(size: format.size, layout: format.layout, color: format.color)
    renderer = try PanelRenderer(
      panel.area(context.size), on: target, context: context, coding: coding, tier: tier, pool: pool)
  }

  func finish(_ frame: CodedFrame) throws(RenderingError) {
    analyzer.takeCounts(into: &counts)
    painter.paint(counts, into: painted)
    try renderer.render(painted, into: frame)
  }
}
