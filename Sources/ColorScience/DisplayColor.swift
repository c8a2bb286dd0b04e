/// The colour of light as a meter displays it.
public struct DisplayColor: Sendable, Hashable {
  /// CIE XYZ, Y in cd/m².
  public let xyz: SIMD3<Double>

  /// The colour of linear components in cd/m², in the primaries of `space`.
  public init(nits: SIMD3<Double>, in space: RGBSpace) { xyz = space.rgbToXYZ * nits }

  /// In cd/m².
  public var luminance: Double { xyz.y }

  /// CIE 1931 x, y; nil for black, and for impossible colours.
  public var chromaticity: Chromaticity? {
    let sum = xyz.sum()
    guard sum.isFinite, sum > 1e-9 else { return nil }
    return Chromaticity(x: xyz.x / sum, y: xyz.y / sum)
  }
}

extension Chromaticity {
  /// CIE 1976 u', v'. Source: ISO/CIE 11664-5:2016, clause 4.1.
  public var uniform: SIMD2<Double> { SIMD2(4 * x, 9 * y) / (12 * y - 2 * x + 3) }
}
