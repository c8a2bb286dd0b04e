/// Marks content that the mapping to the display clips or compresses, on a grey picture.
///
/// It is based on max(R, G, B), like most tone curves; limits are for greys.
public struct ClipWarning: Sendable, Hashable {
  /// The effect of the mapping on a pixel.
  public struct Fate: Sendable, Hashable {
    /// Name in the legend.
    public let name: String
    /// Colour of affected pixels.
    public let color: SRGBColor
  }

  /// Whether a legend is drawn on the picture.
  public var hasLegend = true

  /// Creates a clip warning with a legend.
  public init() {}

  /// Light is compressed if the tone curve keeps less than this fraction of the content's contrast: a 1 % step in the
  /// content becomes less than 0.5 %.
  static let minimumContrast = 0.5
}
