import ColorScience
import ConstantColor
import Foundation
import Frames
import Testing

@Suite struct ChartCalibrationTests {
  private static let corners = [SIMD2(90.0, 100), SIMD2(540.0, 80), SIMD2(560.0, 390), SIMD2(70.0, 370)]

  private static func calibrated(_ scene: ChartScene, falloff: FlatField? = nil) throws -> ChartCalibration {
    let picture = scene.render()
    let reading = try ChartReading(of: picture, corners: scene.corners)
    return try ChartCalibration(reading, of: picture.description, falloff: falloff, flash: "ring")
  }

  /// The largest CIEDE2000 between surfaces' colours by a calibration and their own, at a place of the frame.
  private static func error(
    _ calibration: ColorCalibration, _ scene: ChartScene, at place: SIMD2<Double> = SIMD2(0.5, 0.5)
  ) -> Double {
    let field = calibration.falloff?.light(x: place.x, y: place.y) ?? 1
    return ColorCheckerPatch.all.map { patch in
      let rgb = scene.camera * patch.xyzD65 * (scene.light(place) / field)
      return CIELAB.deltaE2000(CIELAB.fromXYZ(calibration.toXYZ * rgb), CIELAB.fromXYZ(patch.xyzD65))
    }.max() ?? .infinity
  }

  @Test func recoversTheMatrix() throws {
    var scene = ChartScene(corners: Self.corners)
    scene.exposure = Exposure(seconds: 0.02, fNumber: 2, sensitivity: 200, flashFired: true)
    let calibration = try Self.calibrated(scene).calibration
    let product = calibration.toXYZ * scene.camera
    for row in 0..<3 {
      for column in 0..<3 { #expect(abs(product[row, column] - (row == column ? 1 : 0)) < 1e-4) }
    }
    let white = scene.camera * CIELAB.white
    let error = calibration.white - white / white.y
    #expect(max(error.max(), -error.min()) < 1e-4)
    #expect(calibration.falloff == nil)
    #expect(calibration.exposure == scene.exposure)
    #expect(calibration.components == "Test" && calibration.camera == "Test" && calibration.flash == "ring")
    #expect((calibration.residuals?.max ?? 1) < 0.01)
  }

  @Test func recoversItFromNoise() throws {
    var scene = ChartScene(corners: Self.corners)
    scene.noise = 0.02
    let calibration = try Self.calibrated(scene).calibration
    #expect(Self.error(calibration, scene) < 0.5)
    #expect((calibration.residuals?.mean ?? 1) < 0.3)
    #expect(calibration.falloff == nil)
  }

  /// Samples may be counts of any size.
  @Test func hasNoUnit() throws {
    var scene = ChartScene(corners: Self.corners)
    scene.camera = Matrix3(diagonal: SIMD3(repeating: 15_000)) * scene.camera
    scene.saturation = 16_383
    #expect(Self.error(try Self.calibrated(scene).calibration, scene) < 0.01)
  }

  @Test func findsTheFalloffOfLight() throws {
    var scene = ChartScene(corners: Self.corners)
    scene.noise = 0.005
    scene.light = { place in
      let x = (place.x - 0.5) * 2 * 0.8, y = (place.y - 0.5) * 2 * 0.6
      return pow(1 + 0.4 * (x * x + y * y), -2)
    }
    let calibration = try Self.calibrated(scene).calibration
    #expect(calibration.falloff != nil)
    for place in [SIMD2(0.5, 0.5), SIMD2(0.02, 0.02), SIMD2(0.98, 0.5)] {
      #expect(Self.error(calibration, scene, at: place) < 1)
    }
  }

  @Test func findsLightFromOneSide() throws {
    var scene = ChartScene(corners: Self.corners)
    scene.noise = 0.005
    scene.light = { 0.5 + 0.4 * $0.x + 0.1 * $0.y }
    let calibration = try Self.calibrated(scene).calibration
    for place in [SIMD2(0.5, 0.5), SIMD2(0.2, 0.3), SIMD2(0.8, 0.7)] {
      #expect(Self.error(calibration, scene, at: place) < 1.5)
    }
  }

  @Test func usesAPictureOfAnEvenSurface() throws {
    var scene = ChartScene(corners: Self.corners)
    scene.light = { 0.4 + 0.9 * $0.x * (1.1 - $0.x) + 0.3 * $0.y }
    var grey = scene
    grey.corners = ChartScene.corners(center: SIMD2(-5000, -5000), pitch: 50)
    grey.background = { _, _ in SIMD3(0.18, 0.19, 0.2) }
    let field = try FlatField(of: grey.render())
    let calibration = try Self.calibrated(scene, falloff: field).calibration
    #expect(calibration.falloff == field)
    for place in [SIMD2(0.5, 0.5), SIMD2(0, 0), SIMD2(1, 0.5), SIMD2(0.3, 1)] {
      #expect(Self.error(calibration, scene, at: place) < 0.5)
    }
  }

  @Test func refusesWhatNoMatrixFits() throws {
    var scene = ChartScene(corners: Self.corners)
    scene.patch = { index, _ in ColorCheckerPatch.all[(index * 5 + 3) % 24].xyzD65 }
    let picture = scene.render()
    let reading = try ChartReading(of: picture, corners: scene.corners)
    let error = #expect(throws: CalibrationError.self) { try ChartCalibration(reading, of: picture.description) }
    guard case .poorFit(let mean) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(mean > ChartCalibration.tolerableDifference)
  }

  @Test func refusesAMonochromeCamera() throws {
    var scene = ChartScene(corners: Self.corners)
    scene.camera = Matrix3(SIMD3(0, 0.5, 0), SIMD3(0, 0.6, 0), SIMD3(0, 0.4, 0))
    let picture = scene.render()
    let reading = try ChartReading(of: picture, corners: scene.corners)
    #expect(throws: CalibrationError.dependentChannels) { try ChartCalibration(reading, of: picture.description) }
  }
}
