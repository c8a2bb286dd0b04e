import ColorScience
import ConstantColor
import Frames
import Rendering
import TestSupport
import Testing


@Suite struct RegistrationTests {
  private static let size = Size(width: 640, height: 480)
  private static let pool = WorkerPool()

  /// A hand's movement of the most that is promised.
  private static func movement(_ seed: UInt64) -> AffineMap {
    var random = Xorshift(seed: seed + 100)
    func sign() -> Double { Bool.random(using: &random) ? 1 : -1 }
    var map = AffineMap.rotation(sign() * 2 * .pi / 180, x: 0, y: 0)
    let scale = 1 + sign() * 0.01
    map = AffineMap(xx: map.xx * scale, xy: map.xy * scale, yx: map.yx * scale, yy: map.yy * scale)
    (map.x, map.y) = (sign() * 0.03 * Double(size.width), sign() * Double.random(in: 0...0.02, using: &random) * Double(size.width))
    return map
  }

  @Test(arguments: 1...6)
  func largeMovementsAreFound(_ seed: UInt64) {
    let (scene, truth) = (TestScene(seed: seed, size: Self.size), Self.movement(seed))
    let found = Registration(
      of: scene.picture(.identity, withFlash: true, pool: Self.pool),
      in: scene.picture(truth, withFlash: false, pool: Self.pool), exposureRatio: 1, pool: Self.pool)
    let distance = found.camera.distance(to: truth, over: Self.size)
    print("seed", seed, "error", distance, found.camera.distance(to: .identity, over: Self.size))
    #expect(distance < 0.3)
  }

  @Test(arguments: 1...6)
  func largeMovementsAreFoundInTheDark(_ seed: UInt64) {
    var (scene, truth) = (TestScene(seed: seed, size: Self.size), Self.movement(seed))
    scene.lamp *= 0.03
    scene.noise = NoiseModel(shot: SIMD3(repeating: 4e-4), read: SIMD3(repeating: 4e-6))
    let found = Registration(
      of: scene.picture(.identity, withFlash: true, pool: Self.pool),
      in: scene.picture(truth, withFlash: false, seed: 2, pool: Self.pool), exposureRatio: 1, pool: Self.pool)
    let distance = found.camera.distance(to: truth, over: Self.size)
    print("dark seed", seed, "error", distance, found.camera.distance(to: .identity, over: Self.size))
    #expect(distance < 0.3)
  }

  @Test(arguments: 1...4)
  func picturesThatFitStay(_ seed: UInt64) {
    var scene = TestScene(seed: seed, size: Self.size)
    scene.noise = NoiseModel(shot: SIMD3(repeating: 4e-4), read: SIMD3(repeating: 4e-6))
    let found = Registration(
      of: scene.picture(.identity, withFlash: true, pool: Self.pool),
      in: scene.picture(.identity, withFlash: false, seed: 2, pool: Self.pool), exposureRatio: 1, pool: Self.pool)
    print("fit seed", seed, found.camera.distance(to: .identity, over: Self.size))
    #expect(found.camera.distance(to: .identity, over: Self.size) < 0.05)
  }
}
