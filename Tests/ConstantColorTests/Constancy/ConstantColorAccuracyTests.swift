import ColorScience
import ConstantColor
import Testing

/// Colours of a calibrated camera and flash against those of the surfaces in D65.
@Suite struct ConstantColorAccuracyTests {
  @Test(arguments: ["Nikon D5100", "Canon EOS 5D Mark II"])
  func colorsAreRight(_ camera: String) throws {
    let trial = try ConstancyTrial(
      ConstantColorVarianceTests.surfaces, SimulatedCamera(camera), rooms: ConstantColorVarianceTests.rooms)
    let errors = trial.readings.filter(\.isBelieved).map(\.error).sorted()
    let mean = errors.reduce(0, +) / Double(errors.count)
    let high = errors[errors.count * 99 / 100]
    if ConstancyTable.isWanted { print(camera, "dE2000: mean", mean, "99 %", high) }
    #expect(mean <= 2)
    #expect(high < 5)
  }

  /// What the matrix alone leaves, without noise and with no room light.
  @Test(arguments: ["Nikon D5100", "Canon EOS 5D Mark II"])
  func matrixFits(_ name: String) {
    let camera = SimulatedCamera(name)
    let flash = SimulatedLight.named("LED-B4")
    let calibration = SimulatedColor.calibration(camera, flash: flash)
    let exposure = camera.exposure(for: [(flash, lux: 400)])
    let errors = ConstantColorVarianceTests.surfaces.map { surface in
      let response = exposure * 400 * camera.response(to: surface.spectrum, flash)
      return CIELAB.deltaE2000(
        CIELAB.fromXYZ(calibration.toXYZ * response), SimulatedColor.lab(surface.spectrum))
    }.sorted()
    let mean = errors.reduce(0, +) / Double(errors.count)
    if ConstancyTable.isWanted { print(name, "matrix alone: mean", mean, "99 %", errors[errors.count * 99 / 100]) }
    #expect(mean <= 2)
  }
}
