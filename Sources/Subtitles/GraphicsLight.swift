public import ColorScience
internal import Foundation

/// Light of graphics, whose colours are sRGB, in the light that an output codes; white is 1.
///
/// In HLG the light that is coded is the scene's. Its white is what a signal makes it, and colours are those whose light
/// on the display is that of sRGB. Source: ITU-R BT.2100-2, table 5.
public struct GraphicsLight: Sendable {
  private let matrix: Matrix3
  private let gamma: Double

  /// - Parameters:
  ///   - primaries: Those of the coded light.
  ///   - systemGamma: Exponent of the OOTF between coded light and the display's; 1: they are the same.
  public init(primaries: RGBSpace, systemGamma: Double = 1) {
    matrix = RGBSpace.conversion(from: .bt709, to: primaries)
    gamma = systemGamma
  }

  /// The light of a colour; none is negative.
  func light(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> SIMD3<Float> {
    func linear(_ code: UInt8) -> Double { SRGB.eotf(Double(code) / 255) }
    // Rounding of matrices would make white a little more or less than 1.
    if red == green, green == blue { return SIMD3(repeating: Float(pow(linear(red), 1 / gamma))) }
    var rgb = matrix * SIMD3(linear(red), linear(green), linear(blue))
    rgb.clamp(lowerBound: .zero, upperBound: SIMD3(repeating: 1))
    // F = Y^(γ-1) E, so E = F · Y(F)^((1-γ)/γ).
    let luminance = (rgb * HLG.luminance).sum()
    if gamma != 1, luminance > 0 { rgb *= pow(luminance, (1 - gamma) / gamma) }
    return SIMD3(Float(rgb.x), Float(rgb.y), Float(rgb.z))
  }
}
