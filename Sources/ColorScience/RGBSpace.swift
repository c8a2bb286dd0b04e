/// A linear RGB space: three primaries and the white of R = G = B = 1.
public struct RGBSpace: Sendable, Hashable, Codable {
  /// The chromaticity of R alone.
  public let red: Chromaticity
  /// The chromaticity of G alone.
  public let green: Chromaticity
  /// The chromaticity of B alone.
  public let blue: Chromaticity
  /// The chromaticity of R = G = B.
  public let white: Chromaticity
  /// Linear RGB to CIE XYZ with Y = 1 at white.
  ///
  /// Source: SMPTE RP 177 (1993).
  public let rgbToXYZ: Matrix3

  /// A space from its CIE 1931 x, y chromaticities; the primaries must span a triangle.
  public init(red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity) {
    self.red = red
    self.green = green
    self.blue = blue
    self.white = white
    let primaries = Matrix3(red.direction, green.direction, blue.direction).transposed
    rgbToXYZ = primaries * Matrix3(diagonal: primaries.inverse * white.unitLuminance)
  }

  private enum CodingKeys: String, CodingKey { case red, green, blue, white }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func point(_ key: CodingKeys) throws -> Chromaticity { try values.decode(Chromaticity.self, forKey: key) }
    self.init(red: try point(.red), green: try point(.green), blue: try point(.blue), white: try point(.white))
  }

  /// Weights of linear R, G, B in relative luminance Y; they sum to 1.
  public var luminance: SIMD3<Double> { rgbToXYZ.row1 }

  /// The matrix from linear RGB of one space to another.
  ///
  /// Without adaptation if the whites are equal; otherwise the Bradford transform maps white to white, so that grey
  /// stays grey.
  /// - Returns: For components in any unit, which is unchanged.
  /// Source: ITU-R BT.2087-0, for equal whites; ICC.1:2022, annex E, for the Bradford transform.
  public static func conversion(from source: RGBSpace, to target: RGBSpace) -> Matrix3 {
    if source == target { return .identity }
    let toTarget = target.rgbToXYZ.inverse
    if source.white == target.white { return toTarget * source.rgbToXYZ }
    return toTarget * adaptation(from: source.white, to: target.white) * source.rgbToXYZ
  }

  /// The Bradford transform of CIE XYZ from one white to another.
  ///
  /// Source: ICC.1:2022, annex E.
  package static func adaptation(from source: Chromaticity, to target: Chromaticity) -> Matrix3 {
    let cones = Matrix3(
      SIMD3(0.8951, 0.2664, -0.1614), SIMD3(-0.7502, 1.7135, 0.0367), SIMD3(0.0389, -0.0685, 1.0296))
    let gains = (cones * target.unitLuminance) / (cones * source.unitLuminance)
    return cones.inverse * Matrix3(diagonal: gains) * cones
  }
}
