internal import ColorScience
public import Frames
internal import Lettering
internal import Rendering
public import Scopes
internal import ToneMapping

/// Scopes of the light at their position in the filter chain, drawn on or beside the picture.
public struct ScopePanel: Sendable, Hashable {
  /// Position of the scopes.
  public enum Place: String, Sendable, Hashable, CaseIterable {
    /// On the bottom right of the picture.
    case over
    /// Beside the picture, which enlarges the frame.
    case right, below
  }

  /// Allowed fractions of the picture's width and height.
  public static let shares = 0.1...1.0
  /// The default fraction, if the scopes fit.
  public static let defaultShare = 0.4

  /// The scopes, in reading order; at least one.
  public var kinds: [ScopeKind] = [.waveform, .vectorscope]
  /// The plane of the vectorscope.
  public var plane = VectorPlane.ictcp
  /// Position of the scopes.
  public var place = Place.over
  /// Fraction of the picture's width and height; beside the picture, of the enlarged dimension. nil: the default, or
  /// more if necessary.
  public var share: Double?
  /// Every nth row is counted; nil: about 135 rows of the picture.
  public var rowStep: Int?

  /// Creates a waveform and a vectorscope over the picture.
  public init() {}

  /// Returns the area of the scopes in the frame, with even dimensions as required by frame layouts.
  /// - Parameter picture: Size of the picture, at the top left of the frame.
  func area(_ picture: Size) -> PictureArea {
    let share = share ?? max(Self.defaultShare, min(neededShare(picture), 1))
    let (width, height) = (Self.even(Double(picture.width) * share), Self.even(Double(picture.height) * share))
    switch place {
    case .over:
      return PictureArea(
        x: (picture.width - width) & ~1, y: (picture.height - height) & ~1, width: width, height: height)
    case .right: return PictureArea(x: (picture.width + 1) & ~1, y: 0, width: width, height: picture.height)
    case .below: return PictureArea(x: 0, y: (picture.height + 1) & ~1, width: picture.width, height: height)
    }
  }

  /// Returns the fraction needed at the minimum scale, plus two pixels for rounding to even dimensions.
  private func neededShare(_ picture: Size) -> Double {
    guard let minimum = try? ScopeLayout.minimumSize(kinds.count, scale: ScopeLayout.scales.lowerBound) else {
      return 0
    }
    let width = Double(minimum.width + 2) / Double(max(picture.width, 1))
    let height = Double(minimum.height + 2) / Double(max(picture.height, 1))
    switch place {
    case .over: return max(width, height)
    case .right: return width
    case .below: return height
    }
  }

  private static func even(_ extent: Double) -> Int { max(Int(extent) & ~1, 2) }

  /// Returns the layout at a scale that suits the picture: one pixel per point at 1080 rows.
  /// - Throws: `ScopeError` if they do not fit.
  package func layout(_ picture: Size) throws(ScopeError) -> ScopeLayout {
    let area = area(picture)
    let minimum = try ScopeLayout.minimumSize(kinds.count, scale: 1)
    let fitting = min(Double(area.width) / Double(minimum.width), Double(area.height) / Double(minimum.height))
    let wanted = min(Double(picture.height) / 1080, fitting)
    let scale = min(max(wanted, ScopeLayout.scales.lowerBound), ScopeLayout.scales.upperBound)
    return try ScopeLayout(kinds: kinds, size: Size(width: area.width, height: area.height), scale: scale)
  }
}

extension Filter {
  /// Returns the size of filtered frames for a picture size.
  public static func frameSize(_ filters: [Filter], picture: Size) -> Size {
    filters.reduce(picture) { size, filter in
      guard case .scopes(let panel) = filter else { return size }
      let area = panel.area(picture)
      return Size(width: max(size.width, area.maxX), height: max(size.height, area.maxY))
    }
  }
}

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

/// Draws an sRGB picture, such as a legend, on coded frames; its white is SDR white of the display.
final class PanelRenderer {
  private let renderer: FrameRenderer
  private let area: PictureArea

  /// - Parameters:
  ///   - area: Position of panels; its origin is aligned to chroma sites.
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

/// Converts linear sRGB to the primaries and unit of another band.
struct PanelLight: Stage {
  private let matrix: Matrix3
  private let compiled: ColorTransform
  var mapping: ColorTransform? { compiled }

  /// - Parameters:
  ///   - primaries: Primaries of the band.
  ///   - white: Component value of white.
  init(to primaries: RGBSpace, white: Double) {
    let conversion = RGBSpace.conversion(from: .bt709, to: primaries)
    matrix = Matrix3(conversion.row0 * white, conversion.row1 * white, conversion.row2 * white)
    compiled = ColorTransform(tone: .scale(white), gamut: .convert(conversion))
  }

  func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> { matrix * rgb }

  @unsafe
  func process(_ band: LinearBand, tier: KernelTier, worker: Int) { unsafe compiled.process(band, tier: tier) }
}
