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

  /// A black strip with noise around zero says nothing of the pixels beside it.
  @Test func blackChangesNothingElsewhere() {
    let scene = Self.scene(1)
    func map(_ isBlack: Bool) -> BlockMap {
      let pictures = [
        scene.picture(.identity, withFlash: true, moving: [], pool: Self.pool),
        scene.picture(.identity, withFlash: false, moving: [], seed: 2, pool: Self.pool),
      ]
      var noise = Gaussian(seed: 7)
      for image in pictures where isBlack {
        for y in 0..<Self.size.height {
          for x in 100..<140 {
            let value = Float(1e-3 * noise.next())
            for channel in 0..<3 { image[channel, x, y] = value }
          }
        }
      }
      return Registration(of: pictures[0], in: pictures[1], exposureRatio: 1, pool: Self.pool).mismatch
    }
    let (without, with) = (map(false), map(true))
    func share(_ map: BlockMap) -> Double {
      var count = 0
      for y in 0..<map.size.height { for x in 45..<map.size.width where map[x, y] > 0.5 { count += 1 } }
      return Double(count) / Double(map.size.height * (map.size.width - 45))
    }
    #expect(share(with) <= share(without) + 0.005)
  }

  @Test(arguments: 1...2, [1, 0.2, 0.02])
  func lightThatDiffersIsNoMismatch(_ seed: UInt64, _ level: Double) {
    var scene = Self.scene(seed)
    scene.lamp *= level
    #expect(Self.shares(Self.mismatch(scene), []).outside < 0.005)
  }

  @Test func cameraMovementIsNoMismatch() {
    let map = AffineMap(xx: 0.9995, xy: -0.02, yx: 0.02, yy: 0.9995, x: -9.3, y: 7.7)
    let found = Self.mismatch(Self.scene(1), map: map)
    var sum: Float = 0
    for y in 10..<110 { for x in 10..<150 { sum += found[x, y] } }
    #expect(sum / 14000 < 0.01)
    // The flash picture shows what is outside of the ambient picture.
    #expect(found[0, 60] == 1)
  }

  @Test(arguments: [true, false])
  func discsThatMovedAreFound(_ isStriped: Bool) {
    let scene = Self.scene(1)
    var disc = TestScene.Disc(center: SIMD2(0.1, 0.15), radius: 0.06, color: SIMD3(0.9, 0.4, 0.2))
    if isStriped { disc.stripes = 0.5 }
    var (near, far) = (disc, disc)
    near.center.x += 0.004
    far.center.x += 0.1
    let moved = Self.shares(Self.mismatch(scene, flash: [disc], ambient: [far]), [disc, far])
    #expect(moved.inside > 0.95 && moved.outside < 0.01)
    #expect(Self.shares(Self.mismatch(scene, flash: [disc]), [disc]).inside > 0.9)
    #expect(Self.shares(Self.mismatch(scene, ambient: [disc]), [disc]).inside > 0.9)
    // Two and a half pixels: only texture tells.
    guard isStriped else { return }
    let little = Self.shares(Self.mismatch(scene, flash: [disc], ambient: [near]), [disc, near])
    #expect(little.inside > 0.95)
  }

  @Test func noiseIsNoMismatch() {
    var scene = TestScene(seed: 1, size: Self.size, contrast: 0, spots: 0)
    scene.hasShadows = false
    scene.lamp *= 0.02
    scene.noise = NoiseModel(shot: SIMD3(repeating: 1e-3), read: SIMD3(repeating: 1e-5))
    #expect(Self.mismatch(scene).values.allSatisfy { $0 < 0.5 })
  }
}
