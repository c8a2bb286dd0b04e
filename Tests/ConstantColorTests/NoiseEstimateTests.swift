import ConstantColor
import Frames
import Testing

@Suite struct NoiseEstimateTests {
  /// Noise of a sensor over a smooth gradient.
  private func pair(_ noise: NoiseModel?, surface: @escaping (Int, Int) -> Double) -> SceneImage {
    var pair = SyntheticPair(size: Size(width: 256, height: 192))
    pair.surface = { x, y in SIMD3(repeating: surface(x, y)) }
    (pair.room, pair.flash) = ({ _, _ in .zero }, { _, _ in SIMD3(repeating: 1) })
    pair.noise = noise
    return pair.render().flash
  }

  @Test func sensorNoise() {
    let noise = NoiseModel(shot: SIMD3(2e-4, 4e-4, 1e-3), read: SIMD3(1e-6, 1e-6, 4e-6))
    let found = NoiseModel(estimating: pair(noise) { x, y in 0.02 + 0.8 * Double(x + y) / 448 })
    for channel in 0..<3 {
      for light in [0.05, 0.2, 0.7] {
        let light = SIMD3(repeating: light)
        #expect(abs(found.variance(of: light)[channel] / noise.variance(of: light)[channel] - 1) < 0.2)
      }
    }
  }

  /// Texture is not noise, as long as some places are smooth.
  @Test func texture() {
    let noise = NoiseModel(shot: SIMD3(repeating: 3e-4), read: SIMD3(repeating: 1e-6))
    let image = pair(noise) { x, y in x < 128 ? 0.3 + 0.2 * Double((x * 7 + y * 13) % 5) / 5 : 0.4 }
    let found = NoiseModel(estimating: image).variance(of: SIMD3(repeating: 0.4))
    #expect(abs(found.x / noise.variance(of: SIMD3(repeating: 0.4)).x - 1) < 0.3)
  }

  @Test func noNoise() {
    let found = NoiseModel(estimating: pair(nil) { x, _ in 0.1 + 0.5 * Double(x) / 256 })
    #expect(found.variance(of: SIMD3(repeating: 0.5)).max() < 1e-9)
  }
}
