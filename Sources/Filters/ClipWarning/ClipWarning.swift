/// The clip warning: what the mapping to the display had to clip or compress, on a grey picture.
///
/// Light is max(R, G, B), which most tone curves work on; limits are those of greys.
public struct ClipWarning: Sendable, Hashable {
  /// What can have become of a pixel.
  public struct Fate: Sendable, Hashable {
    /// As the legend says it.
    public let name: String
    /// What such pixels are painted with.
    public let color: SRGBColor
  }

  /// Whether a legend is drawn on the picture.
  public var hasLegend = true

  /// With a legend.
  public init() {}

  /// The tone curve gives less than this share of the content's contrast: a step of the content by one percent is one of
  /// less than half a percent.
  static let minimumContrast = 0.5
}
