import ColorScience
import ConstantColor
import Foundation
import Frames

/// A picture of a ColorChecker, as a camera sees it.
struct ChartScene {
  var size = Size(width: 640, height: 480)
  /// Pixels of the centres of the corner patches: dark skin, bluish green, black, white.
  var corners: [SIMD2<Double>]
  /// From XYZ in D65 to the camera's R, G, B.
  var camera = Matrix3(SIMD3(0.55, 0.12, -0.08), SIMD3(-0.25, 0.75, 0.12), SIMD3(0.02, -0.08, 0.45))
  /// Relative light at a place of the frame, both coordinates from 0 to 1.
  var light: (SIMD2<Double>) -> Double = { _ in 1 }
  /// Reflectance beside the chart, in XYZ, at a pixel.
  var background: (Int, Int) -> SIMD3<Double> = { x, y in
    // A table with books on it.
    let shade = 0.12 + 0.05 * sin(Double(x) / 9) * cos(Double(y) / 13)
    let isBook = (x / 70 + 2 * (y / 90)) % 5 == 0
    return SIMD3(0.9, 1, 0.7) * (isBook ? 0.4 : shade)
  }
  /// Changes the patches, in XYZ.
  var patch: (Int, SIMD3<Double>) -> SIMD3<Double> = { _, color in color }
  /// Standard deviation of noise where R, G, B are 1; it grows with the root of the light.
  var noise = 0.0
  var saturation: Float? = 1
  var exposure: Exposure?

  /// A chart whose patches are `pitch` pixels apart, turned clockwise by an angle in degrees around its centre.
  static func corners(
    center: SIMD2<Double>, pitch: Double, degrees: Double = 0, isMirrored: Bool = false
  ) -> [SIMD2<Double>] {
    let (c, s) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    return [(-2.5, -1.5), (2.5, -1.5), (2.5, 1.5), (-2.5, 1.5)].map { x, y in
      let across = isMirrored ? -x : x
      return center + pitch * SIMD2(c * across - s * y, s * across + c * y)
    }
  }

  func render(seed: UInt64 = 1) -> SceneImage {
    let image = SceneImage(
      size: size,
      description: SceneDescription(
        components: .camera(name: "Test", toXYZ: nil), saturation: saturation.map { SIMD3(repeating: $0) },
        exposure: exposure))
    let toChart = Self.toPicture(corners).inverse
    let colors = ColorCheckerPatch.all.enumerated().map { patch($0, $1.xyzD65) }
    var generator = Gaussian(seed: seed)
    for y in 0..<size.height {
      for x in 0..<size.width {
        var color = SIMD3<Double>.zero
        for (dx, dy) in [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)] {
          color += reflectance(toChart * SIMD3(Double(x) + dx, Double(y) + dy, 1), x, y, colors) / 4
        }
        let place = SIMD2((Double(x) + 0.5) / Double(size.width), (Double(y) + 0.5) / Double(size.height))
        let rgb = camera * color * light(place)
        for channel in 0..<3 {
          let deviation = noise == 0 ? 0 : noise * max(rgb[channel], 0.01).squareRoot() * generator.next()
          image[channel, x, y] = min(Float(rgb[channel] + deviation), saturation ?? .infinity)
        }
      }
    }
    return image
  }

  private func reflectance(
    _ homogeneous: SIMD3<Double>, _ x: Int, _ y: Int, _ colors: [SIMD3<Double>]
  ) -> SIMD3<Double> {
    let place = SIMD2(homogeneous.x, homogeneous.y) / homogeneous.z
    guard -0.62...5.62 ~= place.x, -0.62...3.62 ~= place.y else { return background(x, y) }
    let (column, row) = (Int(place.x.rounded()), Int(place.y.rounded()))
    let offset = SIMD2(place.x - Double(column), place.y - Double(row))
    guard 0...5 ~= column, 0...3 ~= row, max(offset.x.magnitude, offset.y.magnitude) < 0.435 else {
      return SIMD3(0.95, 1, 1.09) * 0.018
    }
    return colors[row * 6 + column]
  }

  /// From the chart's plane to pixels.
  ///
  /// Source: Heckbert (1989), "Fundamentals of Texture Mapping and Image Warping", 2.2.3: a square to a quadrilateral.
  static func toPicture(_ corners: [SIMD2<Double>]) -> Matrix3 {
    let (p0, p1, p2, p3) = (corners[0], corners[1], corners[2], corners[3])
    let (d1, d2, sum) = (p1 - p2, p3 - p2, p0 - p1 + p2 - p3)
    let determinant = d1.x * d2.y - d2.x * d1.y
    let g = (sum.x * d2.y - d2.x * sum.y) / determinant
    let h = (d1.x * sum.y - sum.x * d1.y) / determinant
    let square = Matrix3(
      SIMD3(p1.x - p0.x + g * p1.x, p3.x - p0.x + h * p3.x, p0.x),
      SIMD3(p1.y - p0.y + g * p1.y, p3.y - p0.y + h * p3.y, p0.y), SIMD3(g, h, 1))
    return square * Matrix3(diagonal: SIMD3(1.0 / 5, 1.0 / 3, 1))
  }
}
