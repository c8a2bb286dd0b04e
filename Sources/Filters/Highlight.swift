public import ColorScience
internal import Frames
public import Rendering
internal import SIMDShims

/// The wide-colour highlight: keeps colours that an ordinary display cannot show, and turns all others grey.
///
/// It works on the content's light, before any mapping or clipping.
public struct Highlight: Sendable, Hashable {
  /// The gamut that colours are compared with.
  public enum Gamut: String, Sendable, Hashable, CaseIterable {
    /// BT.709, and P3 with D65.
    case srgb, p3

    /// Primaries and white of the gamut.
    public var space: RGBSpace { self == .srgb ? .bt709 : .displayP3 }
  }

  /// Which colours are kept.
  public enum Criterion: String, Sendable, Hashable, CaseIterable {
    /// Hue and saturation outside the gamut, regardless of brightness.
    case chromaticity
    /// Components outside 0...1 (SDR white) in the gamut's primaries: in HDR this includes bright greys.
    case range
    /// Luminance above SDR white, or above a given limit.
    case luminance
  }

  /// Weights of R, G and B in the grey of other colours.
  public enum Weights: String, Sendable, Hashable, CaseIterable {
    /// Luminance.
    case luminance
    /// 0.30, 0.59, 0.11 of R, G, B in the gamut's linear primaries, as in older programs.
    case classic
  }

  /// Allowed widths of the zone near the boundary, in the same unit as the tolerance.
  public static let edges = 0.001...0.2
  /// Three times the default tolerance.
  public static let defaultEdge = 0.03
  /// Allowed tolerances.
  public static let tolerances = 0.0...0.2

  /// The gamut that colours are compared with.
  public var gamut = Gamut.srgb
  /// nil: `chromaticity` for HDR content, where bright light is not a wide colour; `range` for SDR, where nothing
  /// should exceed white.
  public var criterion: Criterion?
  /// The weights of grey.
  public var weights = Weights.luminance
  /// Fraction of R + G + B, in the gamut's primaries, by which a component may leave 0...1. See `GamutBoundary`.
  public var tolerance = GamutBoundary.defaultTolerance
  /// Limit for `luminance` in cd/m²; nil: SDR white.
  public var nits: Double?
  /// sRGB colour for colours inside but near the boundary; nil: grey.
  public var tint: SRGBColor?
  /// Width of the zone near the boundary: a component less than this fraction of R + G + B above it, or light less than
  /// this fraction below its limit.
  public var edge = defaultEdge

  /// Creates a highlight for sRGB with the default tolerance and no tint.
  public init() {}
}

/// The wide-colour highlight as a stage on content light.
///
/// A common gain on all components does not affect gamut tests, and luminance in the weights of HLG's OOTF is a
/// function of scene luminance. HLG scene light is therefore tested and converted to grey directly, with limits to
/// which the inverse OOTF has been applied.
public struct HighlightStage: Stage {
  private let form: ContentLightForm
  private let criterion: Highlight.Criterion
  private let boundary: GamutBoundary
  /// The tolerance above 1, as component weights: twice the tolerance that `boundary` adds to each.
  private let excess: SIMD3<Double>
  private let luminance: SIMD3<Double>
  private let gray: SIMD3<Double>
  /// Limit in cd/m².
  private let limit: Double
  private let edge: Double
  private let near: SIMD3<Double>
  /// Linear components of luminance 1.
  private let tint: SIMD3<Double>?
  private let compiled: Compiled

  /// Computes the limits for the content's light, once for all frames.
  public init(_ highlight: Highlight, _ context: FilterContext) {
    let (source, gamut) = (context.content.primaries, highlight.gamut.space)
    let form = context.form
    self.form = form
    criterion = highlight.criterion ?? (context.content.metadata == nil ? .range : .chromaticity)
    boundary = form.boundary(of: gamut, from: source, tolerance: highlight.tolerance)
    let conversion = RGBSpace.conversion(from: source, to: gamut)
    let sum = conversion.row0 + conversion.row1 + conversion.row2
    excess = sum * (2 * highlight.tolerance)
    near = sum * (highlight.tolerance + highlight.edge)
    luminance = form.luminance(of: source)
    gray = highlight.weights == .luminance ? luminance : conversion.transposed * SIMD3(0.30, 0.59, 0.11)
    limit = highlight.nits ?? context.sdrWhite
    edge = highlight.edge
    tint = highlight.tint.map { color in
      let linear = RGBSpace.conversion(from: .bt709, to: source) * color.linear
      return linear / max((source.luminance * linear).sum(), 1e-4)
    }
    compiled = Compiled(form, limit: limit, width: context.size.width, workers: context.workers)
  }

  public func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let smallest = (boundary.matrix * rgb).min()
    let largest = (boundary.matrix * rgb).max() - (excess * rgb).sum()
    let level = (luminance * rgb).sum()
    let (isOutside, isNearEdge) = (
      smallest < -boundary.floor, smallest < (near * rgb).sum() - boundary.floor
    )
    let stays: Bool
    let isNear: Bool
    switch criterion {
    case .chromaticity: (stays, isNear) = (isOutside, isNearEdge)
    case .range:
      let limit = componentLimit(level)
      (stays, isNear) = (isOutside || largest > limit, isNearEdge || largest > limit * (1 - edge))
    case .luminance:
      let limit = form.light(above: limit)
      (stays, isNear) = (level > limit, level > limit * (1 - edge))
    }
    if stays { return rgb }
    let value = (gray * rgb).sum()
    if isNear, let tint { return tint * value }
    return SIMD3(repeating: value)
  }

  /// Returns the component that displays at the limit in a colour with this luminance.
  private func componentLimit(_ luminance: Double) -> Double {
    switch form {
    case .display(let unit): limit / unit
    case .scene(let peak, let gamma): Self.sceneLimit(limit, luminance, peak: peak, gamma: gamma)
    }
  }

  /// Returns a limit in cd/m² as scene light at a given luminance; infinite if there is none.
  fileprivate static func sceneLimit(_ limit: Double, _ luminance: Double, peak: Double, gamma: Double) -> Double {
    let shown = HLG.ootf(SIMD3(repeating: luminance), peak: peak, gamma: gamma).x
    return shown > 0 ? limit * luminance / shown : .greatestFiniteMagnitude
  }

  @unsafe
  public func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
    let kernels = unsafe tier.kernels
    let limits = unsafe compiled.limits[worker].row(0)
    var parameters = self.parameters
    for index in unsafe 0..<band.height {
      let row = unsafe band.row(index).kernelRows
      if criterion == .range, let scene = compiled.scene {
        unsafe scene.withParameters(tier) { unsafe kernels.luminance_gains($0, row, limits, band.width) }
      }
      unsafe kernels.highlight(&parameters, row, limits, band.width)
    }
  }

  private var parameters: hr_highlight {
    let kind =
      switch criterion {
      case .chromaticity: HR_HIGHLIGHT_CHROMATICITY
      case .range: HR_HIGHLIGHT_RANGE
      case .luminance: HR_HIGHLIGHT_LUMINANCE
      }
    return hr_highlight(
      kind: kind, has_tint: tint == nil ? 0 : 1, boundary: hr_gamut_boundary(boundary), excess: excess.kernelRow,
      luminance: luminance.kernelRow, limit: Float(form.light(above: limit)), gray: gray.kernelRow,
      near: near.kernelRow, near_level: Float(1 - edge), tint: (tint ?? .zero).kernelRow)
  }

  /// Component limits, one row per worker.
  private final class Compiled: @unchecked Sendable {
    // @unchecked: only worker n uses row n.
    /// Limits as a function of scene luminance.
    let scene: ColorTransform?
    let limits: [RowStorage<Float>]

    init(_ form: ContentLightForm, limit: Double, width: Int, workers: Int) {
      limits = (0..<workers).map { _ in RowStorage(rows: 1, width: width) }
      guard case .scene(let peak, let gamma) = form else {
        scene = nil
        for row in limits {
          for x in 0..<width { unsafe row.row(0)[x] = Float(limit / form.nitsPerUnit) }
        }
        return
      }
      let table = GainTable.overLuminance { HighlightStage.sceneLimit(limit, $0, peak: peak, gamma: gamma) }
      scene = ColorTransform(tone: .luminanceGain(table, weights: HLG.luminance), gamut: .keep)
    }
  }
}
