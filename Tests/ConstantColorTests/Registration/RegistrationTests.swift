import ColorScience
import ConstantColor
import Frames
import Glibc
import Rendering
import TestSupport
import Testing

@Suite struct RegistrationTests {
  private static let size = Size(width: 640, height: 480)
  private static let pool = WorkerPool()
  private static let dark = NoiseModel(shot: SIMD3(repeating: 4e-4), read: SIMD3(repeating: 4e-6))

  /// The largest movement of a hand that must be found.
  private static func movement(_ seed: UInt64) -> AffineMap {
    var random = Xorshift(seed: seed + 100)
    func sign() -> Double { Bool.random(using: &random) ? 1 : -1 }
    let (angle, scale, width) = (sign() * 2 * .pi / 180, 1 + sign() * 0.01, Double(size.width))
    return AffineMap(
      xx: cos(angle) * scale, xy: -sin(angle) * scale, yx: sin(angle) * scale, yy: cos(angle) * scale,
      x: sign() * 0.03 * width, y: sign() * Double.random(in: 0...0.03, using: &random) * width)
  }

  private static func registration(
    _ scene: TestScene, _ map: AffineMap, bend: @escaping @Sendable (SIMD2<Double>) -> SIMD2<Double> = { _ in .zero }
  ) -> (found: Registration, ambient: SceneImage) {
    let ambient = scene.picture(map, withFlash: false, bend: bend, seed: 2, pool: pool)
    let flash = scene.picture(.identity, withFlash: true, pool: pool)
    return (Registration(of: flash, in: ambient, exposureRatio: 1, pool: pool), ambient)
  }

  /// The root mean square of the differences of two pictures, away from their edges.
  private static func difference(_ first: SceneImage, _ second: SceneImage) -> Double {
    var (sum, count) = (0.0, 0.0)
    for y in 40..<size.height - 40 {
      for x in 40..<size.width - 40 {
        let difference = Double(first[1, x, y] - second[1, x, y])
        sum += difference * difference
        count += 1
      }
    }
    return (sum / count).squareRoot()
  }

  @Test(arguments: 1...4, [false, true])
  func movementsAreFound(_ seed: UInt64, inTheDark: Bool) {
    var (scene, truth) = (TestScene(seed: seed, size: Self.size), Self.movement(seed))
    if inTheDark {
      scene.lamp *= 0.03
      scene.noise = Self.dark
    }
    let found = Self.registration(scene, truth).found
    #expect(found.camera.distance(to: truth, over: Self.size) < (inTheDark ? 0.3 : 0.03))
    #expect(abs(found.movement.rotation - truth.movement.rotation) < 0.02)
    #expect(abs(found.movement.scale - truth.movement.scale) < 0.001)
  }

  @Test(arguments: 1...2)
  func picturesThatFitStay(_ seed: UInt64) {
    var scene = TestScene(seed: seed, size: Self.size)
    scene.noise = Self.dark
    let (found, ambient) = Self.registration(scene, .identity)
    #expect(found.movement == Movement())
    #expect(found.resampled(ambient, pool: Self.pool) === ambient)
  }

  @Test func picturesOfNothingStay() {
    var scene = TestScene(seed: 1, size: Self.size, contrast: 0, spots: 0)
    for noise in [0, 1.0] {
      scene.noise = NoiseModel(shot: Self.dark.shot * noise, read: Self.dark.read * noise)
      #expect(Self.registration(scene, AffineMap(x: 0, y: 0)).found.movement == Movement())
    }
    scene.hasShadows = false
    #expect(Self.registration(scene, AffineMap(x: 12, y: 0)).found.movement == Movement())
  }

  @Test func workersDoNotChangeTheResult() {
    let (scene, truth) = (TestScene(seed: 5, size: Self.size), Self.movement(5))
    let flash = scene.picture(.identity, withFlash: true, pool: Self.pool)
    let ambient = scene.picture(truth, withFlash: false, pool: Self.pool)
    let found = [1, 3].map { Registration(of: flash, in: ambient, exposureRatio: 1, pool: WorkerPool(count: $0)) }
    #expect(found[0].camera == found[1].camera)
    #expect(found[0].mismatch.values == found[1].mismatch.values)
  }

  /// A near thing on the right side moves by five pixels more than the rest.
  @Test func parallaxIsFound() {
    let scene = TestScene(seed: 7, size: Self.size)
    let (found, ambient) = Self.registration(scene, AffineMap(x: 6, y: 0)) { place in
      SIMD2(0.004 + 0.004 * tanh(place.x * 8), 0)
    }
    let truth = scene.picture(.identity, withFlash: false, pool: Self.pool)
    let resampled = found.resampled(ambient, pool: Self.pool)
    #expect(found.isLocal)
    #expect(Self.difference(resampled, truth) < 0.1 * Self.difference(ambient, truth))
    #expect(!Self.registration(scene, AffineMap(x: 6, y: 0)).found.isLocal)
  }

  /// Samples and sizes of which nothing can be made.
  @Test(arguments: [(1, 1), (3, 2), (700, 1), (1, 90), (150, 120)])
  func strangePicturesStay(_ width: Int, _ height: Int) {
    let size = Size(width: width, height: height)
    let values: [Float] = [.nan, .infinity, -.infinity, -1, 0, 1e30, .greatestFiniteMagnitude, .leastNonzeroMagnitude]
    for strange in [values, [0], [.nan], [.greatestFiniteMagnitude, 1]] {
      var random = Xorshift(seed: 3)
      let images = (0..<2).map { _ in
        let image = SceneImage(size: size, description: SceneDescription(components: .rgb(.bt709)))
        for y in 0..<height {
          for x in 0..<width {
            for channel in 0..<3 { image[channel, x, y] = strange.randomElement(using: &random) ?? 0 }
          }
        }
        return image
      }
      let found = Registration(of: images[0], in: images[1], exposureRatio: 2, pool: Self.pool)
      #expect(found.movement == Movement())
      #expect(found.mismatch.values.allSatisfy { 0...1 ~= $0 })
    }
  }

  @Test func saturatedSamplesStaySaturated() {
    let description = SceneDescription(components: .rgb(.bt709), saturation: SIMD3(repeating: 1))
    let (scene, truth) = (TestScene(seed: 2, size: Self.size), AffineMap(x: 3.4, y: 2.3))
    let ambient = scene.picture(truth, withFlash: false, pool: Self.pool)
    let clipped = SceneImage(size: Self.size, description: description)
    for channel in 0..<3 {
      for y in 0..<480 { for x in 0..<640 { clipped[channel, x, y] = min(ambient[channel, x, y] * 3, 1) } }
    }
    let found = Registration(
      of: scene.picture(.identity, withFlash: true, pool: Self.pool), in: ambient, exposureRatio: 1, pool: Self.pool)
    let result = found.resampled(clipped, pool: Self.pool)
    var count = 0
    for y in 4..<470 {
      for x in 4..<630 where clipped[0, x + 3, y + 2] == 1 {
        count += 1
        #expect(result[0, x, y] >= 1)
      }
    }
    #expect(count > 100)
  }
}
