import Testing

/// Colours of a calibrated camera and flash against those of the surfaces in D65.
@Suite struct ConstantColorAccuracyTests {
  @Test(arguments: ConstancyTrial.charts.keys.sorted())
  func colorsAreRight(_ camera: String) throws {
    let trial = try #require(ConstancyTrial.charts[camera]).value.get()
    let errors = trial.readings.filter(\.isBelieved).map(\.error).sorted()
    let mean = errors.reduce(0, +) / Double(errors.count)
    let high = errors[errors.count * 99 / 100]
    if ConstancyTable.isWanted { print(camera, "dE2000: mean", mean, "99 %", high) }
    #expect(mean <= 2)
    #expect(high < 5)
  }

  /// What the matrix alone leaves, without noise and with no room light.
  @Test(arguments: ConstancyTrial.charts.keys.sorted())
  func matrixFits(_ name: String) throws {
    let errors = try SimulatedColor.matrixErrors(
      SimulatedCamera(name), flash: .named("LED-B4"), Set(ConstancyTrial.surfaces)
    ).values.sorted()
    let mean = errors.reduce(0, +) / Double(errors.count)
    if ConstancyTable.isWanted { print(name, "matrix alone: mean", mean, "99 %", errors[errors.count * 99 / 100]) }
    #expect(mean <= 2)
  }
}
