/// A patch of the ColorChecker Classic, as measured by its manufacturer for charts made after November 2014.
///
/// Source: X-Rite, "New color specifications for ColorChecker SG and Classic charts" (2016), CIE L*a*b* for D50 and
/// 2 degrees; here as CIE xyY, Y = 1 for the perfect diffuser.
public struct ColorCheckerPatch: Sendable {
  /// The manufacturer's name in lower case.
  public let name: String
  /// CIE 1931 x and y in D50.
  public let x, y: Double
  /// Y, 1 for the perfect diffuser.
  public let luminance: Double

  /// D50 of ICC.1, the white of the measurements.
  private static let d50 = Chromaticity(x: 0.34570291, y: 0.3585386)

  /// Linear components relative to the perfect diffuser, chromatically adapted to the space's white with the Bradford
  /// transform. Out-of-gamut colours have negative components.
  public func linear(in space: RGBSpace) -> SIMD3<Double> {
    let xyz = Self.xyzSpace(white: Self.d50)
    let color = SIMD3(x, y, 1 - x - y) * (luminance / y)
    let white = xyz.rgbToXYZ * SIMD3(repeating: 1)
    return RGBSpace.conversion(from: xyz, to: space) * (color / white)
  }

  /// CIE XYZ in D65, Y = 1 for the perfect diffuser, chromatically adapted with the Bradford transform.
  public var xyzD65: SIMD3<Double> {
    let space = Self.xyzSpace(white: .d65)
    return space.rgbToXYZ * linear(in: space)
  }

  /// CIE XYZ, each relative to the white's, is a space like any other.
  private static func xyzSpace(white: Chromaticity) -> RGBSpace {
    RGBSpace(
      red: Chromaticity(x: 1, y: 0), green: Chromaticity(x: 0, y: 1), blue: Chromaticity(x: 0, y: 0), white: white)
  }

  /// Number of columns and rows of the chart.
  public static let columns = 6, rows = 4

  /// In row-major order.
  public static let all: [ColorCheckerPatch] = [
    ColorCheckerPatch(name: "dark skin", x: 0.437484, y: 0.378523, luminance: 0.098324),
    ColorCheckerPatch(name: "light skin", x: 0.422249, y: 0.372494, luminance: 0.336202),
    ColorCheckerPatch(name: "blue sky", x: 0.276147, y: 0.298382, luminance: 0.178552),
    ColorCheckerPatch(name: "foliage", x: 0.373316, y: 0.451169, luminance: 0.134679),
    ColorCheckerPatch(name: "blue flower", x: 0.302891, y: 0.286287, luminance: 0.228718),
    ColorCheckerPatch(name: "bluish green", x: 0.286405, y: 0.389718, luminance: 0.414355),
    ColorCheckerPatch(name: "orange", x: 0.528148, y: 0.405335, luminance: 0.312642),
    ColorCheckerPatch(name: "purplish blue", x: 0.232386, y: 0.211204, luminance: 0.109109),
    ColorCheckerPatch(name: "moderate red", x: 0.504448, y: 0.327065, luminance: 0.189),
    ColorCheckerPatch(name: "purple", x: 0.333471, y: 0.250552, luminance: 0.062767),
    ColorCheckerPatch(name: "yellow green", x: 0.398893, y: 0.504149, luminance: 0.433176),
    ColorCheckerPatch(name: "orange yellow", x: 0.493576, y: 0.444283, luminance: 0.429338),
    ColorCheckerPatch(name: "blue", x: 0.205221, y: 0.168665, luminance: 0.055962),
    ColorCheckerPatch(name: "green", x: 0.323038, y: 0.510418, luminance: 0.223344),
    ColorCheckerPatch(name: "red", x: 0.562872, y: 0.335563, luminance: 0.127801),
    ColorCheckerPatch(name: "yellow", x: 0.467759, y: 0.476024, luminance: 0.599298),
    ColorCheckerPatch(name: "magenta", x: 0.421311, y: 0.266925, luminance: 0.189511),
    ColorCheckerPatch(name: "cyan", x: 0.209129, y: 0.302658, luminance: 0.18061),
    ColorCheckerPatch(name: "white", x: 0.348914, y: 0.364213, luminance: 0.88069),
    ColorCheckerPatch(name: "neutral 8", x: 0.345584, y: 0.359881, luminance: 0.589971),
    ColorCheckerPatch(name: "neutral 6.5", x: 0.34415, y: 0.359185, luminance: 0.364865),
    ColorCheckerPatch(name: "neutral 5", x: 0.345769, y: 0.359094, luminance: 0.190623),
    ColorCheckerPatch(name: "neutral 3.5", x: 0.342648, y: 0.357584, luminance: 0.088172),
    ColorCheckerPatch(name: "black", x: 0.343767, y: 0.356058, luminance: 0.031513),
  ]

  /// The white patch, the first of the bottom row.
  public static let white = all[18]
}
