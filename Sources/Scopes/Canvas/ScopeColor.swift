internal import ColorScience

/// A colour in the picture of scopes, as sRGB code values.
package struct ScopeColor: Hashable {
  let codes: SIMD3<UInt8>

  /// - Parameter hex: 0xRRGGBB.
  init(_ hex: Int) { codes = SIMD3(UInt8(hex >> 16 & 255), UInt8(hex >> 8 & 255), UInt8(hex & 255)) }

  package init(codes: SIMD3<UInt8>) { self.codes = codes }

  /// The brightest sRGB colour with this chromaticity, mixed with white so that no colour is too dark.
  /// - Parameter light: Linear BT.709 components in any unit; negative ones are out of gamut and treated as 0.
  init(hueOf light: SIMD3<Double>, white: Double = 0.35) {
    let inside = light.replacing(with: 0, where: light .< 0)
    let most = inside.max()
    let hue = most > 0 ? inside / most : SIMD3(repeating: 1)
    let mixed = hue * (1 - white) + white
    codes = SIMD3(Self.code(mixed.x), Self.code(mixed.y), Self.code(mixed.z))
  }

  /// Light relative to white.
  var light: SIMD3<Double> { SIMD3(Self.lights[Int(codes.x)], Self.lights[Int(codes.y)], Self.lights[Int(codes.z)]) }

  /// Light per code value.
  static let lights = (0..<256).map { SRGB.eotf(Double($0) / 255) }

  static func code(_ light: Double) -> UInt8 {
    UInt8((min(max(SRGB.inverseEOTF(light), 0), 1) * 255).rounded())
  }
}
