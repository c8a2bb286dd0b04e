import ColorScience
import ConstantColor
import Foundation
import Frames
import Testing

@Suite struct ChartFinderTests {
  /// The largest distance of a found corner from its place, in steps between patches.
  private static func error(_ scene: ChartScene, seed: UInt64 = 1) throws -> Double {
    let found = try ChartReading(findingIn: scene.render(seed: seed)).corners
    let pitch = hypot(scene.corners[1].x - scene.corners[0].x, scene.corners[1].y - scene.corners[0].y) / 5
    return zip(found, scene.corners).map { hypot($0.x - $1.x, $0.y - $1.y) }.max().map { $0 / pitch } ?? .infinity
  }

  @Test(arguments: [0.0, 90, 180, 270, 12, -25, 102])
  func findsTurnedCharts(_ degrees: Double) throws {
    var scene = ChartScene(corners: ChartScene.corners(center: SIMD2(330, 230), pitch: 62, degrees: degrees))
    scene.noise = 0.01
    let error = try Self.error(scene)
    #expect(error < 0.05)
  }

  @Test func findsASmallChart() throws {
    var scene = ChartScene(corners: ChartScene.corners(center: SIMD2(420, 330), pitch: 27, degrees: 3))
    scene.noise = 0.01
    let error = try Self.error(scene)
    #expect(error < 0.08)
  }

  @Test func findsAChartSeenAtAnAngle() throws {
    var scene = ChartScene(corners: [SIMD2(120, 110), SIMD2(500, 60), SIMD2(560, 380), SIMD2(90, 300)])
    scene.noise = 0.015
    let error = try Self.error(scene)
    #expect(error < 0.05)
  }

  @Test func findsAChartInUnevenLightAndColour() throws {
    var scene = ChartScene(corners: ChartScene.corners(center: SIMD2(300, 250), pitch: 70, degrees: 184))
    scene.noise = 0.01
    scene.light = { 0.2 + 0.5 * $0.x + 0.2 * $0.y }
    scene.camera = Matrix3(diagonal: SIMD3(2, 1, 0.25)) * scene.camera
    let error = try Self.error(scene)
    #expect(error < 0.05)
  }

  @Test func findsAChartInALargePicture() throws {
    var scene = ChartScene(
      size: Size(width: 1900, height: 1300), corners: ChartScene.corners(center: SIMD2(900, 600), pitch: 200))
    scene.noise = 0.05
    let error = try Self.error(scene)
    #expect(error < 0.03)
  }

  @Test func refusesMirroredCharts() {
    for degrees in [0.0, 90] {
      let scene = ChartScene(
        corners: ChartScene.corners(center: SIMD2(330, 230), pitch: 62, degrees: degrees, isMirrored: true))
      #expect(throws: CalibrationError.chartMirrored) { try ChartReading(findingIn: scene.render()) }
    }
  }

  @Test func findsNothingInOtherPictures() {
    let corners = ChartScene.corners(center: SIMD2(330, 230), pitch: 62)
    // A grid of squares of other colours.
    var other = ChartScene(corners: corners)
    other.patch = { index, _ in SIMD3(0.1 + 0.03 * Double(index * 7 % 24), 0.1 + 0.03 * Double(index * 5 % 24), 0.4) }
    // Grey tiles.
    var tiles = ChartScene(corners: corners)
    tiles.patch = { index, _ in SIMD3(0.95, 1, 1.09) * (0.2 + 0.02 * Double(index * 11 % 24)) }
    // Nothing, and nothing but noise.
    let far = ChartScene.corners(center: SIMD2(-3000, -3000), pitch: 62)
    var noisy = ChartScene(corners: far)
    noisy.noise = 0.5
    for scene in [other, tiles, ChartScene(corners: far), noisy] {
      #expect(throws: CalibrationError.chartNotFound) { try ChartReading(findingIn: scene.render()) }
    }
    for size in [Size(width: 1, height: 1), Size(width: 3, height: 900)] {
      let empty = SceneImage(size: size, description: SceneDescription(components: .rgb(.bt709)))
      #expect(throws: CalibrationError.chartNotFound) { try ChartReading(findingIn: empty) }
    }
  }
}
