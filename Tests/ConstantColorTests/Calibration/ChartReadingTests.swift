import ColorScience
import ConstantColor
import Frames
import Testing

@Suite struct ChartReadingTests {
  static let tilted = [SIMD2(150.0, 120), SIMD2(500.0, 90), SIMD2(530.0, 330), SIMD2(120.0, 290)]

  private static func worst(_ reading: ChartReading, _ scene: ChartScene) -> Double {
    zip(reading.patches, ColorCheckerPatch.all).map { patch, reference in
      let error = patch.rgb - scene.camera * reference.xyzD65
      return max(error.max(), -error.min())
    }.max() ?? .infinity
  }

  @Test func readsPatchesSeenAtAnAngle() throws {
    let scene = ChartScene(corners: Self.tilted)
    let reading = try ChartReading(of: scene.render(), corners: scene.corners)
    #expect(Self.worst(reading, scene) < 1e-6)
    let map = ChartScene.toPicture(scene.corners) * SIMD3(2, 1, 1)
    let error = reading.patches[8].center - SIMD2(map.x, map.y) / map.z
    #expect(max(error.x.magnitude, error.y.magnitude) < 1e-6)
  }

  @Test func averagesNoiseAndIgnoresDust() throws {
    var scene = ChartScene(corners: Self.tilted)
    scene.noise = 0.02
    scene.saturation = 4
    let picture = scene.render()
    for index in 0..<24 {
      let column = index % 6, row = index / 6
      let map = ChartScene.toPicture(scene.corners) * SIMD3(Double(column) + 0.05, Double(row) + 0.1, 1)
      for channel in 0..<3 {
        for x in 0..<5 { picture[channel, Int(map.x / map.z) + x, Int(map.y / map.z)] = x % 2 == 0 ? 0.99 : .nan }
      }
    }
    #expect(Self.worst(try ChartReading(of: picture, corners: scene.corners), scene) < 0.004)
  }

  @Test func refusesClippedPatches() throws {
    var scene = ChartScene(corners: Self.tilted)
    scene.light = { _ in 2.1 }
    #expect(throws: CalibrationError.patchClipped("white")) {
      try ChartReading(of: scene.render(), corners: scene.corners)
    }
    // Where nothing states the saturation, many pixels that share the largest value show it.
    scene.noise = 0.01
    let clipped = scene.render()
    var unknown = scene
    unknown.saturation = nil
    let picture = unknown.render()
    for y in 0..<480 { for x in 0..<640 { for c in 0..<3 { picture[c, x, y] = clipped[c, x, y] } } }
    #expect(throws: CalibrationError.patchClipped("white")) {
      try ChartReading(of: picture, corners: scene.corners)
    }
    // The difference of two pictures does not show what clipped in one.
    scene.light = { _ in 0.5 }
    let difference = scene.render()
    _ = try ChartReading(of: difference, corners: scene.corners)
    #expect(throws: CalibrationError.patchClipped("white")) {
      try ChartReading(of: difference, exposed: clipped, corners: scene.corners)
    }
  }

  @Test func namesPatchesThatCannotBeMeasured() {
    var scene = ChartScene(corners: Self.tilted)
    let shadow = ChartScene.toPicture(scene.corners) * SIMD3(3, 0, 1)
    let edge = shadow.x / shadow.z / 640
    scene.light = { $0.x < edge ? 1 : 0.6 }
    #expect(throws: CalibrationError.patchUneven("foliage")) {
      try ChartReading(of: scene.render(), corners: scene.corners)
    }
    scene.light = { _ in 0.001 }
    scene.noise = 0.3
    scene.saturation = nil
    #expect(throws: CalibrationError.patchNoisy("dark skin")) {
      try ChartReading(of: scene.render(), corners: scene.corners)
    }
    let outside = ChartScene.corners(center: SIMD2(200, 240), pitch: 80)
    #expect(throws: CalibrationError.patchOutside("dark skin")) {
      try ChartReading(of: scene.render(), corners: outside)
    }
    let tiny = ChartScene.corners(center: SIMD2(200, 240), pitch: 5)
    #expect(throws: CalibrationError.patchTooSmall("dark skin")) {
      try ChartReading(of: scene.render(), corners: tiny)
    }
  }

  @Test func refusesCornersOfNoChart() {
    let picture = ChartScene(corners: Self.tilted).render()
    let good = Self.tilted
    #expect(throws: CalibrationError.chartMirrored) { try ChartReading(of: picture, corners: good.reversed()) }
    for corners in [
      [good[0], good[2], good[1], good[3]], Array(good.dropLast()), [good[0], good[0], good[2], good[3]],
      [good[0], SIMD2(.nan, 1), good[2], good[3]], [good[0], SIMD2(1e300, 1), good[2], good[3]],
    ] {
      #expect(throws: CalibrationError.corners) { try ChartReading(of: picture, corners: corners) }
    }
  }
}
