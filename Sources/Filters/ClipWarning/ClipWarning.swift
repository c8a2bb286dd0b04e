/// The clip warning: marks what the mapping to the display clips or compresses, on a grey picture.
///
/// It is based on max(R, G, B), as most tone curves are; limits are those of greys.
public struct ClipWarning: Sendable, Hashable {
  /// What the mapping does to a pixel.
  public struct Fate: Sendable, Hashable {
    /// Its name in the legend.
    public let name: String
    /// The colour of such pixels.
    public let color: SRGBColor
  }

  /// Whether a legend is drawn on the picture.
  public var hasLegend = true

  /// With a legend.
  public init() {}

  /// Light is compressed if the tone curve keeps less than this fraction of the content's contrast: a 1 % step of the
  /// content becomes less than a 0.5 % step.
  static let minimumContrast = 0.5
}
