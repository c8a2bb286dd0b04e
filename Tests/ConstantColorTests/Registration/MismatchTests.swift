import ColorScience
import ConstantColor
import Frames
import Rendering
import TestSupport
import Testing

@Suite struct MismatchTests {
  private static let size = Size(width: 640, height: 480)
  private static let pool = WorkerPool()

  private static func mismatch(
    _ scene: TestScene, flash: [TestScene.Disc] = [], ambient: [TestScene.Disc] = [], map: AffineMap = .identity
  ) -> BlockMap {
    Registration(
      of: scene.picture(.identity, withFlash: true, moving: flash, pool: pool),
      in: scene.picture(map, withFlash: false, moving: ambient, seed: 2, pool: pool), exposureRatio: 1, pool: pool
    ).mismatch
  }

  /// Shares of blocks with a mismatch above 0.5: in discs, and elsewhere.
  private static func shares(_ map: BlockMap, _ discs: [TestScene.Disc]) -> (inside: Double, outside: Double) {
    var (inside, outside, countInside, countOutside) = (0.0, 0.0, 0.0, 0.0)
    for y in 0..<map.size.height {
      for x in 0..<map.size.width {
        let place = (SIMD2(Double(4 * x + 2), Double(4 * y + 2)) - SIMD2(320, 240)) / 640
        let distances = discs.map { disc in
          (((place - disc.center) * (place - disc.center)).sum().squareRoot() - disc.radius) * 640
        }
        let hit = map[x, y] > 0.5 ? 1.0 : 0
        if (distances.min() ?? 1000) < -2 {
          inside += hit
          countInside += 1
        } else if (distances.min() ?? 1000) > 12 {
          outside += hit
          countOutside += 1
        }
      }
    }
    return (inside / max(countInside, 1), outside / max(countOutside, 1))
  }

  private static func scene(_ seed: UInt64) -> TestScene {
    var scene = TestScene(seed: seed, size: size)
    scene.noise = NoiseModel(shot: SIMD3(repeating: 1e-4), read: SIMD3(repeating: 1e-6))
    return scene
  }

  @Test(arguments: 1...3)
  func lightThatDiffersIsNoMismatch(_ seed: UInt64) {
    var scene = Self.scene(seed)
    for level in [1, 0.2, 0.02] {
      scene.lamp = SIMD3(0.5, 0.3, 0.12) * level
      let found = Self.mismatch(scene)
      let share = Self.shares(found, []).outside
      print("light", seed, level, share)
      #expect(share < 0.01)
    }
  }

  @Test(arguments: [true, false], 1...3)
  func discsThatMovedAreFound(_ isStriped: Bool, _ seed: UInt64) {
    let scene = Self.scene(seed)
    var disc = TestScene.Disc(center: SIMD2(0.1, 0.15), radius: 0.06, color: SIMD3(0.9, 0.4, 0.2))
    if isStriped { disc.stripes = 0.5 }
    for shift in [0.004, 0.02, 0.1] {
      var other = disc
      other.center.x += shift
      let shares = Self.shares(Self.mismatch(scene, flash: [disc], ambient: [other]), [disc, other])
      print("moved", seed, isStriped, shift, shares)
    }
    let only = (
      Self.shares(Self.mismatch(scene, flash: [disc]), [disc]), Self.shares(Self.mismatch(scene, ambient: [disc]), [disc])
    )
    print("only", seed, isStriped, only)
  }

  @Test func noiseIsNoMismatch() {
    var scene = TestScene(seed: 1, size: Self.size, contrast: 0, spots: 0)
    scene.hasShadows = false
    scene.lamp *= 0.02
    scene.noise = NoiseModel(shot: SIMD3(repeating: 1e-3), read: SIMD3(repeating: 1e-5))
    let found = Self.mismatch(scene)
    print("noise", found.values.reduce(0, +) / Float(found.values.count))
    #expect(found.values.allSatisfy { $0 < 0.5 })
  }
}
