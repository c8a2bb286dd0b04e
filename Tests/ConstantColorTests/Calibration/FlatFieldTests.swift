import ColorScience
import ConstantColor
import Foundation
import Frames
import Testing

@Suite struct FlatFieldTests {
  private static func light(_ place: SIMD2<Double>) -> Double {
    let x = (place.x - 0.45) * 1.6, y = (place.y - 0.55) * 1.2
    return pow(1 + x * x + y * y, -2)
  }

  private static func picture(
    noise: Double = 0, light: (SIMD2<Double>) -> Double = FlatFieldTests.light, saturation: Float? = 1
  ) -> SceneImage {
    let size = Size(width: 320, height: 240)
    let description = SceneDescription(
      components: .rgb(.bt709), saturation: saturation.map { SIMD3(repeating: $0) })
    let image = SceneImage(size: size, description: description)
    var generator = Gaussian(seed: 5)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let value = light(SIMD2((Double(x) + 0.5) / 320, (Double(y) + 0.5) / 240))
        for (channel, factor) in [0.4, 0.6, 0.3].enumerated() {
          let deviation = noise == 0 ? 0 : noise * generator.next()
          image[channel, x, y] = min(Float(factor * value + deviation), saturation ?? .infinity)
        }
      }
    }
    return image
  }

  @Test func passesThroughItsValues() {
    let field = FlatField(columns: 3, rows: 2, light: [1, 2, 0.5, 0.7, 1.2, 3])
    #expect(field.light(x: 0, y: 0) == 1)
    #expect(field.light(x: 0.5, y: 0) == 2)
    #expect(field.light(x: 1, y: 1) == 3)
    // Outside, and for no number at all, the edge.
    #expect(field.light(x: 7, y: 9) == 3)
    #expect(field.light(x: .nan, y: -.infinity) == 1)
    #expect(FlatField(columns: 2, rows: 2, light: [1, 3, 1, 3]).light(x: 0.25, y: 0.4) == 1.5)
  }

  @Test func hasNoCreases() {
    let field = FlatField(columns: 5, rows: 5, light: (0..<25).map { 1 + 0.1 * Double($0 * 7 % 5) })
    let step = 1e-6
    for place in [0.25, 0.5, 0.75] {
      let before = (field.light(x: place, y: 0.4) - field.light(x: place - step, y: 0.4)) / step
      let after = (field.light(x: place + step, y: 0.4) - field.light(x: place, y: 0.4)) / step
      #expect(abs(before - after) < 1e-3)
    }
  }

  @Test func staysPositive() {
    let field = FlatField(columns: 4, rows: 2, light: [50, 0.02, 0.02, 50, 50, 0.02, 0.02, 50])
    for index in 0...300 { #expect(field.light(x: Double(index) / 300, y: 0.5) > 0) }
  }

  @Test(arguments: [0, 0.01])
  func measuresLight(_ noise: Double) throws {
    let picture = Self.picture(noise: noise)
    // Dust on the card.
    for y in 100..<112 { for x in 40..<52 { picture[1, x, y] = 0.05 } }
    let field = try FlatField(of: picture)
    let center = Self.light(SIMD2(0.5, 0.5))
    for (x, y) in [(0.0, 0.0), (0.5, 0.5), (1.0, 0.3), (0.2, 0.9), (1.0, 1.0), (0.14, 0.44)] {
      let expected = Self.light(SIMD2(x, y)) / center
      #expect(abs(field.light(x: x, y: y) / expected - 1) < 0.01)
    }
  }

  @Test func refusesWhatIsNotEven() {
    let textured = Self.picture { 0.5 + 0.2 * sin(40 * $0.x) * sin(30 * $0.y) }
    #expect(throws: CalibrationError.self) { try FlatField(of: textured) }
    #expect(throws: CalibrationError.evenPictureClipped) { try FlatField(of: Self.picture { _ in 2 }) }
    #expect(throws: CalibrationError.evenPictureRange) { try FlatField(of: Self.picture { _ in 0 }) }
    #expect(throws: CalibrationError.evenPictureRange) { try FlatField(of: Self.picture { $0.x < 0.5 ? 0.5 : 0.001 }) }
    #expect(throws: CalibrationError.evenPictureClipped) {
      try FlatField(of: Self.picture(light: { _ in .nan }, saturation: nil))
    }
    let tiny = SceneImage(size: Size(width: 20, height: 20), description: SceneDescription(components: .rgb(.bt709)))
    #expect(throws: CalibrationError.evenPictureRange) { try FlatField(of: tiny) }
  }
}
