internal import ColorScience
public import Frames
internal import Lettering
public import Rendering
public import ToneMapping

/// Applies filters to the frames of one stream.
///
/// Light is tested and counted before the mapping to a display, in filter order; filters paint over the mapped picture
/// in the same order, and legends are drawn on the coded frame.
public final class FilterSession {
  private let filters: [Filter]
  private let context: FilterContext
  private var panels: [(picture: CodedFrame, renderer: PanelRenderer)] = []
  /// By index of the filter.
  private var scopes: [Int: ScopeOverlay] = [:]

  /// Creates the filters of a stream.
  /// - Parameters:
  ///   - filters: Filters in order of application.
  ///   - context: Context of the first frame.
  ///   - target: Format of the frames, including panels beside the picture (`Filter.frameSize`).
  ///   - coding: Stages from the painted light to the coded light.
  ///   - tier: Kernels to use, supported by the processor.
  ///   - pool: Worker threads.
  /// - Throws: `FilterFailure` if scopes do not fit in the picture, `LetteringError` if no font is found,
  ///   `RenderingError` for unsupported targets.
  public init(
    _ filters: [Filter], _ context: FilterContext, target: FrameRenderer.Endpoint, coding: [any Stage],
    tier: KernelTier = .detected, pool: WorkerPool
  ) throws {
    (self.filters, self.context) = (filters, context)
    for (index, filter) in filters.enumerated() {
      guard case .scopes(let panel) = filter else { continue }
      scopes[index] = try ScopeOverlay(panel, context, target: target, coding: coding, tier: tier, pool: pool)
    }
    let legends = filters.compactMap { $0.legend(context) }
    guard !legends.isEmpty else { return }
    let typeface = try Typeface.default()
    var bottom = context.size.height
    for legend in legends {
      guard let picture = Self.picture(legend, typeface, in: context.size, bottom: bottom) else { continue }
      let margin = Self.margin(context.size)
      let area = PictureArea(
        x: margin, y: (bottom - margin - picture.size.height) & ~1, width: picture.size.width,
        height: picture.size.height)
      bottom = area.y
      panels.append(
        (
          picture,
          try PanelRenderer(area, on: target, context: context, coding: coding, tier: tier, pool: pool)
        ))
    }
  }

  /// Returns the legend at a size that suits the picture, or smaller if necessary; nil if it would be illegible.
  private static func picture(_ legend: Legend, _ typeface: Typeface, in size: Size, bottom: Int) -> CodedFrame? {
    let margin = margin(size)
    // A line is more than three times as wide as it is high.
    var height = max(min(size.height / 40, size.width / 3), minimumLine)
    while height >= minimumLine {
      let needed = LegendPicture.size(legend, typeface: typeface, lineHeight: height)
      if needed.width <= size.width - 2 * margin, needed.height <= bottom - 2 * margin {
        return LegendPicture(legend, typeface: typeface, lineHeight: height).frame
      }
      height -= 2
    }
    return nil
  }

  /// Minimum height in pixels of a legible line of text.
  private static let minimumLine = 12

  private static func margin(_ size: Size) -> Int { size.height / 40 & ~1 }

  /// Returns the stages of the filters around a mapping.
  /// - Parameter mapping: The mapping to a display; nil: light as decoded.
  public func stages(around mapping: DisplayMapping.Settings?) -> [any Stage] {
    var context = context
    context.mapping = mapping
    let display = mapping.map { DisplayMapping($0) }
    let stages = display.map { [$0] } ?? []
    let steps = filters.enumerated().compactMap { index, filter in
      scopes[index].map { .stage($0.analyzer) } ?? filter.step(context, display?.mapper)
    }
    let plain: [any Stage] = steps.compactMap { step in
      guard case .stage(let stage) = step else { return nil }
      return stage
    }
    // Without painters, the mapping remains the last stage, which runs while packing.
    if plain.count == steps.count { return plain + stages }
    return [PaintedMapping(steps, around: stages, width: context.size.width, workers: context.workers)]
  }

  /// Draws legends and scopes on a coded frame.
  /// - Throws: `RenderingError` if the frame has another format.
  public func finish(_ frame: CodedFrame) throws(RenderingError) {
    for panel in panels { try panel.renderer.render(panel.picture, into: frame) }
    for index in scopes.keys.sorted() { try scopes[index]?.finish(frame) }
  }
}

extension Filter {
  fileprivate func step(_ context: FilterContext, _ mapper: ToneMapper?) -> PaintedMapping.Step? {
    switch self {
    case .scopes: nil
    case .highlight(let highlight): .stage(HighlightStage(highlight, context))
    case .falseColor: .painter(ZonePainter(LightZone.all(sdrWhite: context.sdrWhite), context))
    case .clipWarning: context.mapping.map { .painter(ClipPainter($0, mapper, context)) }
    }
  }

  fileprivate func legend(_ context: FilterContext) -> Legend? {
    switch self {
    case .highlight, .scopes: nil
    case .falseColor(let filter): filter.hasLegend ? Legend(LightZone.all(sdrWhite: context.sdrWhite)) : nil
    case .clipWarning(let filter):
      context.mapping.flatMap { filter.hasLegend ? Legend(ClipPainter.fates($0)) : nil }
    }
  }
}

/// The input light of filters and its further processing.
public struct FilterContext: Sendable {
  /// Interpretation of the bands.
  public var content: ContentInterpretation
  /// The subsequent mapping to a display; nil: light as decoded.
  public var mapping: DisplayMapping.Settings?
  /// Luminance of SDR white in cd/m².
  public var sdrWhite: Double
  /// Size of the picture.
  public var size: Size
  /// Number of workers of the rendering pool.
  public var workers: Int

  /// Creates a context; luminance is in cd/m².
  public init(
    content: ContentInterpretation, mapping: DisplayMapping.Settings?, sdrWhite: Double, size: Size, workers: Int
  ) {
    (self.content, self.mapping, self.sdrWhite, self.size, self.workers) = (content, mapping, sdrWhite, size, workers)
  }

  /// The meaning of a band's components.
  var form: ContentLightForm {
    mapping.map { ContentLightForm($0) } ?? ContentLightForm(content, sdrWhite: sdrWhite)
  }

  /// Primaries of painted pixels.
  var paintedPrimaries: RGBSpace { mapping.map { $0.display.primaries } ?? content.primaries }

  /// Component value in a painted band that corresponds to 1.0 in a painted colour.
  var paintedWhite: Double { mapping == nil ? form.light(ofGray: sdrWhite) : 1 }
}

/// Why a filter's text is invalid.
public struct FilterFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// A sentence that lists valid values.
  public let description: String

  init(_ description: String) { self.description = description }
}
