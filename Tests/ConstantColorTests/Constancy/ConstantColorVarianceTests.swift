import Testing

/// Colours of surfaces that stay what they are under the lights of many rooms, as the camera of a phone sees them.
@Suite struct ConstantColorVarianceTests {
  @Test(arguments: ConstancyTrial.charts.keys.sorted())
  func varianceFalls(_ camera: String) throws {
    let trial = try #require(ConstancyTrial.charts[camera]).value.get()
    let whole = ConstancyTable(trial.readings)
    whole.print(camera)
    #expect(whole.reduction >= 0.87)
    #expect(whole.share(reducedBy: 0.87) >= 0.9)
    for lux in LightGrid.lux {
      let table = ConstancyTable(trial.readings.filter { $0.lux == lux })
      table.print("\(camera), \(Int(lux)) lx")
      #expect(table.believed >= (lux <= 200 ? 0.9 : 0.5), "\(lux) lx")
      #expect(table.reduction >= 0.87, "\(lux) lx")
    }
    let tones = (1...8).map { tone in ConstancyTable(trial.readings.filter { $0.surface.tone == tone }) }
    for (index, table) in tones.enumerated() { table.print("\(camera), skin tone \(index + 1)") }
    let reductions = tones.map(\.reduction)
    #expect(try #require(reductions.min()) >= (try #require(reductions.max())) - 0.1)
  }

  @Test func coloredLight() throws {
    let trial = try ConstancyTrial(ConstancyTrial.surfaces, SimulatedCamera("Nikon D5100"), rooms: LightGrid.colored)
    let table = ConstancyTable(trial.readings)
    table.print("red, green, blue LED")
    #expect(table.believed >= 0.8)
    #expect(table.reduction >= 0.95)
  }

  /// Without a flash to tell the colours by, they follow the light: the bars above are not met by chance.
  @Test func ambientPicturesVary() throws {
    let trial = try ConstancyTrial(
      Spectra.reflectances(.colorChecker), SimulatedCamera("Nikon D5100"), rooms: LightGrid.sample)
    let table = ConstancyTable(trial.readings)
    #expect(table.rows.count { $0.ambient > 2 } >= 12)
  }
}
