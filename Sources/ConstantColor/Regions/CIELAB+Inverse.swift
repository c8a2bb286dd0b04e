internal import ColorScience

extension CIELAB {
  /// Returns XYZ relative to white (Y = 1) for L*, a*, b*.
  ///
  /// Source: CIE 015:2018, 8.2.1, solved for X, Y, Z.
  public static func toXYZ(_ lab: SIMD3<Double>) -> SIMD3<Double> {
    func cube(_ f: Double) -> Double { f > 6.0 / 29 ? f * f * f : (116 * f - 16) * 27 / 24389 }
    let y = (lab.x + 16) / 116
    return SIMD3(cube(y + lab.y / 500), cube(y), cube(y - lab.z / 200)) * white
  }

  /// Returns sRGB for L*, a*, b* as `#AABBCC`, clipped to the gamut: for display, not for measurement.
  package static func hexadecimal(_ lab: SIMD3<Double>) -> String {
    let light = RGBSpace.bt709.rgbToXYZ.inverse * toXYZ(lab)
    return "#"
      + [light.x, light.y, light.z].map { component in
        let code = UInt8((255 * SRGB.inverseEOTF(component > 0 ? min(component, 1) : 0)).rounded())
        let digits = String(code, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
      }.joined()
  }
}
