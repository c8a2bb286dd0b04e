public import ColorScience

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
