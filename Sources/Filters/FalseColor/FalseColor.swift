/// False colour: the luminance of the content in named zones.
public struct FalseColor: Sendable, Hashable {
  /// Whether a legend is drawn on the picture.
  public var hasLegend = true

  /// Creates false colour with a legend.
  public init() {}
}
