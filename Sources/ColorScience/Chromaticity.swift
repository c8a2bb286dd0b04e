/// A chromaticity in CIE 1931 x, y.
public struct Chromaticity: Sendable, Hashable, Codable {
  /// CIE 1931 x, 0...1 for real colours.
  public var x: Double
  /// CIE 1931 y, 0...1 for real colours.
  public var y: Double

  /// Any x and y, including imaginary colours.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  /// D65 as video standards round it. Source: ITU-R BT.709-6, item 1.4; BT.2100-2, table 2.
  public static let d65 = Chromaticity(x: 0.3127, y: 0.3290)
  /// Illuminant C. Source: ITU-T H.273 (07/2021), table 2.
  public static let illuminantC = Chromaticity(x: 0.310, y: 0.316)
  /// The calibration white of digital cinema. Source: SMPTE RP 431-2 (2011).
  public static let dci = Chromaticity(x: 0.314, y: 0.351)

  /// X, Y, Z up to a factor; defined for y = 0 too, where the form with Y = 1 is not.
  var direction: SIMD3<Double> { SIMD3(x, y, 1 - x - y) }

  /// X, Y, Z with Y = 1.
  package var unitLuminance: SIMD3<Double> { direction / y }
}
