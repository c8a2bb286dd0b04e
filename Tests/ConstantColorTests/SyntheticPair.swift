import ColorScience
import Frames
import TestSupport

/// A pair of pictures of the same surfaces, evaluated pixel by pixel, without noise unless a model says so.
struct SyntheticPair {
  var size = Size(width: 96, height: 64)
  /// Reflectance of R, G, B at a pixel.
  var surface: (Int, Int) -> SIMD3<Double> = { x, y in
    SIMD3(0.2 + 0.5 * Double((x / 16 + y / 16) % 3) / 2, 0.3 + 0.3 * Double((x / 16) % 2), 0.25)
  }
  /// Light of the room at a pixel.
  var room: (Int, Int) -> SIMD3<Double> = { _, _ in SIMD3(0.3, 0.2, 0.1) }
  /// Light of the flash at a pixel.
  var flash: (Int, Int) -> SIMD3<Double> = { _, _ in SIMD3(0.5, 0.6, 0.55) }
  /// Exposure of the ambient picture over that of the flash picture.
  var exposureRatio = 1.0
  var noise: NoiseModel?
  var saturation: Float? = 1

  /// The ambient and the flash picture.
  func render(seed: UInt64 = 1) -> (ambient: SceneImage, flash: SceneImage) {
    var description = SceneDescription(components: .rgb(.bt709))
    description.saturation = saturation.map { SIMD3(repeating: $0) }
    let (ambient, lit) = (
      SceneImage(size: size, description: description), SceneImage(size: size, description: description)
    )
    var generator = Gaussian(seed: seed)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (surface, room) = (surface(x, y), room(x, y))
        store(surface * room * exposureRatio, ambient, x, y, &generator)
        store(surface * (room + flash(x, y)), lit, x, y, &generator)
      }
    }
    return (ambient, lit)
  }

  private func store(_ light: SIMD3<Double>, _ image: SceneImage, _ x: Int, _ y: Int, _ generator: inout Gaussian) {
    let variance = noise?.variance(of: light) ?? .zero
    for channel in 0..<3 {
      let value = light[channel] + variance[channel].squareRoot() * generator.next()
      image[channel, x, y] = min(Float(value), saturation ?? .infinity)
    }
  }
}

/// Normally distributed numbers.
struct Gaussian {
  private var source: Xorshift

  init(seed: UInt64) { source = Xorshift(seed: seed) }

  /// The sum of twelve uniform numbers, whose variance is 1.
  mutating func next() -> Double {
    (0..<12).reduce(-6) { sum, _ in sum + Double(source.next() >> 11) / Double(1 << 53) }
  }
}
