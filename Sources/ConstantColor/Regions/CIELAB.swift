internal import ColorScience
internal import Glibc

/// CIE 1976 L*a*b* for D65 and the 2° observer.
///
/// Source: CIE 015:2018, 8.2.1.
public enum CIELAB {
  /// XYZ of white, Y = 1.
  public static let white: SIMD3<Double> = SIMD3(0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290)

  /// Returns L*, a*, b* for XYZ relative to white (Y = 1).
  public static func fromXYZ(_ xyz: SIMD3<Double>) -> SIMD3<Double> {
    let f = xyz / white
    func root(_ t: Double) -> Double { t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116 }
    let (x, y, z) = (root(f.x), root(f.y), root(f.z))
    return SIMD3(116 * y - 16, 500 * (x - y), 200 * (y - z))
  }

  /// Returns the colour difference CIEDE2000 of two L*, a*, b*, all weights 1.
  ///
  /// Source: CIE 142:2001; Sharma, Wu, Dalal (2005), "The CIEDE2000 color-difference formula", with its test data.
  public static func deltaE2000(_ first: SIMD3<Double>, _ second: SIMD3<Double>) -> Double {
    func degrees(_ b: Double, _ a: Double) -> Double {
      if a == 0 && b == 0 { return 0 }
      let angle = atan2(b, a) * 180 / .pi
      return angle < 0 ? angle + 360 : angle
    }
    func radians(_ angle: Double) -> Double { angle * .pi / 180 }
    func seventh(_ c: Double) -> Double { (pow(c, 7) / (pow(c, 7) + pow(25.0, 7))).squareRoot() }
    let chroma = (hypot(first.y, first.z) + hypot(second.y, second.z)) / 2
    let stretch = 1 + (1 - seventh(chroma)) / 2
    let (a1, a2) = (first.y * stretch, second.y * stretch)
    let (c1, c2) = (hypot(a1, first.z), hypot(a2, second.z))
    let (h1, h2) = (degrees(first.z, a1), degrees(second.z, a2))
    var step = h2 - h1
    if c1 * c2 == 0 { step = 0 } else if step > 180 { step -= 360 } else if step < -180 { step += 360 }
    let deltaH = 2 * (c1 * c2).squareRoot() * sin(radians(step / 2))
    var hue = (h1 + h2) / 2
    if c1 * c2 == 0 { hue = h1 + h2 } else if abs(h1 - h2) > 180 { hue += h1 + h2 < 360 ? 180 : -180 }
    let (lightness, meanChroma) = ((first.x + second.x) / 2, (c1 + c2) / 2)
    let t =
      1 - 0.17 * cos(radians(hue - 30)) + 0.24 * cos(radians(2 * hue)) + 0.32 * cos(radians(3 * hue + 6))
      - 0.20 * cos(radians(4 * hue - 63))
    let offset = (lightness - 50) * (lightness - 50)
    let scaleL = 1 + 0.015 * offset / (20 + offset).squareRoot()
    let (scaleC, scaleH) = (1 + 0.045 * meanChroma, 1 + 0.015 * meanChroma * t)
    let bend = (hue - 275) / 25
    let rotation = -sin(radians(60 * exp(-bend * bend))) * 2 * seventh(meanChroma)
    let (l, c, h) = ((second.x - first.x) / scaleL, (c2 - c1) / scaleC, deltaH / scaleH)
    return (l * l + c * c + h * h + rotation * c * h).squareRoot()
  }

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
