/// The content and display of a tone curve.
public struct ToneConditions: Sendable, Hashable {
  /// Peak luminance of the content in cd/m², above 0.
  public var contentPeak: Double
  /// Black of the content in cd/m², at least 0.
  public var contentBlack: Double
  /// The target display.
  public var display: Display
  /// Luminance of diffuse white in the content in cd/m².
  public var referenceWhite: Double

  /// Diffuse white of HDR content in cd/m². Source: ITU-R BT.2408, table 1.
  public static let defaultReferenceWhite = 203.0

  /// Creates conditions; luminances are in cd/m².
  public init(
    contentPeak: Double, contentBlack: Double = 0, display: Display,
    referenceWhite: Double = defaultReferenceWhite
  ) {
    self.contentPeak = contentPeak
    self.contentBlack = contentBlack
    self.display = display
    self.referenceWhite = referenceWhite
  }

  /// Whether the display can show the content without compression.
  public var fitsDisplay: Bool { contentPeak <= display.peak }
}
