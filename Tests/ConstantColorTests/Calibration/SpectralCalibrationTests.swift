import ColorScience
import ConstantColor
import Testing

@Suite struct SpectralCalibrationTests {
  private static func calibration() throws -> SpectralCalibration {
    try SpectralCalibration(
      camera: SpectralTable(csv: SpectralVectors.camera, columns: 3),
      flash: SpectralTable(csv: SpectralVectors.flash, columns: 1), name: "camera", flashName: "LED")
  }

  @Test func isAccurateForACamera() throws {
    let result = try Self.calibration()
    let residuals = try #require(result.calibration.residuals)
    #expect(residuals.mean < 1.65)
    #expect(residuals.max < 6)
    #expect(result.calibration.source == .spectra)
    #expect(result.calibration.exposure == nil)
    let error = result.calibration.white - SpectralVectors.white
    #expect(max(error.max(), -error.min()) < 1e-4)
  }

  /// The responses and the colours come from another program.
  @Test func agreesWithColourScience() throws {
    let result = try Self.calibration()
    for surface in SpectralVectors.surfaces {
      let lab = CIELAB.fromXYZ(result.calibration.toXYZ * surface.rgb)
      let difference = CIELAB.deltaE2000(lab, CIELAB.fromXYZ(surface.xyz))
      #expect(difference < 6, "\(surface.name): \(difference)")
      guard let index = ColorCheckerPatch.all.firstIndex(where: { $0.name == surface.name }) else { continue }
      #expect(abs(difference - result.differences[index]) < 0.02, "\(surface.name)")
    }
  }

  /// A camera that sees as the observer does, in D65, needs no more than a scale.
  @Test func aCameraLikeTheObserverIsExact() throws {
    let lines = zip(CIE1931Observer.wavelengths, CIE1931Observer.colorMatching)
    let camera = lines.map { "\($0);\($1.x);\($1.y);\($1.z)" }.joined(separator: "\r\n")
    let flash = zip(CIE1931Observer.wavelengths, IlluminantD65.power).map { "\($0)\t\($1)" }.joined(separator: "\n")
    let result = try SpectralCalibration(
      camera: SpectralTable(csv: camera, columns: 3), flash: SpectralTable(csv: flash, columns: 1), name: "observer")
    #expect((result.differences.max() ?? 1) < 1e-3)
    let neutral = result.calibration.toXYZ * result.calibration.white - CIELAB.white
    #expect(max(neutral.max(), -neutral.min()) < 1e-5)
  }

  @Test func channelsMustDiffer() throws {
    let camera = (40...70).map { "\(10 * $0),1,2,3" }.joined(separator: "\n")
    let table = try SpectralTable(csv: camera, columns: 3)
    let flash = try SpectralTable(csv: SpectralVectors.flash, columns: 1)
    #expect(throws: CalibrationError.dependentChannels) {
      try SpectralCalibration(camera: table, flash: flash, name: "grey")
    }
  }

  /// The table of the illuminant and of the observer, against white's known chromaticity.
  @Test func tablesGiveTheWhiteOfD65() {
    var sum = SIMD3<Double>.zero
    for (matching, power) in zip(CIE1931Observer.colorMatching, IlluminantD65.power) { sum += matching * power }
    #expect(CIE1931Observer.colorMatching.count == 81 && IlluminantD65.power.count == 81)
    #expect(abs(sum.x / sum.sum() - 0.31272) < 2e-5)
    #expect(abs(sum.y / sum.sum() - 0.32903) < 2e-5)
  }
}
