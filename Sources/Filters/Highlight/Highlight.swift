public import ColorScience

/// The wide-colour highlight: colours that an ordinary display could not show stay as they are, all others turn grey.
///
/// It works on the light of the content, before anything is mapped to a display or clipped.
public struct Highlight: Sendable, Hashable {
  /// The gamut that colours are compared with.
  public enum Gamut: String, Sendable, Hashable, CaseIterable {
    /// BT.709, and P3 with D65.
    case srgb, p3

    /// Its primaries and white.
    public var space: RGBSpace { self == .srgb ? .bt709 : .displayP3 }
  }

  /// What makes a colour stay.
  public enum Criterion: String, Sendable, Hashable, CaseIterable {
    /// Its hue and saturation lie outside of the gamut, however bright it is.
    case chromaticity
    /// A component in the gamut's primaries is below 0 or above 1, SDR white: in HDR, bright greys too.
    case range
    /// Its luminance is above SDR white, or above a limit of one's own.
    case luminance
  }

  /// Weights of R, G and B in the grey of other colours.
  public enum Weights: String, Sendable, Hashable, CaseIterable {
    /// Luminance.
    case luminance
    /// 0.30, 0.59, 0.11 of R, G, B in the gamut's linear primaries, as older programs have it.
    case classic
  }

  /// Widths of the zone near the edge that can be asked for, in shares as the tolerance is.
  public static let edges = 0.001...0.2
  /// The usual one: three times the usual tolerance.
  public static let defaultEdge = 0.03
  /// Tolerances that can be asked for.
  public static let tolerances = 0.0...0.2

  /// The gamut that colours are compared with.
  public var gamut = Gamut.srgb
  /// nil: `chromaticity` for HDR content, where bright light is no wide colour; `range` for SDR, where nothing is meant to
  /// be brighter than white.
  public var criterion: Criterion?
  /// What grey a pixel turns to.
  public var weights = Weights.luminance
  /// Share of R + G + B, in the gamut's primaries, by which a component may leave 0...1. See `GamutBoundary`.
  public var tolerance = GamutBoundary.defaultTolerance
  /// In cd/m²: the limit for `luminance`; nil is SDR white.
  public var nits: Double?
  /// sRGB of the colour for what is inside but near the edge; nil leaves it grey.
  public var tint: SRGBColor?
  /// How near the edge that is: a component less than this share of R + G + B above the boundary, or light less than this
  /// share below its limit.
  public var edge = defaultEdge

  /// Against sRGB, with the usual tolerance and no tint.
  public init() {}
}
