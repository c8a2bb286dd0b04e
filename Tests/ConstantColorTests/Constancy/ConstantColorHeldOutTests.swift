import ConstantColor
import Frames
import TestSupport
import Testing

/// The same bars, less a tenth, with cameras, lamps and surfaces that nothing was tuned to.
@Suite struct ConstantColorHeldOutTests {
  private static let cameras = ["Canon PowerShot S90", "Sigma SD Merrill", "Sony ILCE-7RM2"]
  private static let lamps = [
    "FL4", "FL7", "FL10", "FL12", "HP1", "HP4", "HP5", "LED-BH1", "LED-RGB1", "LED-V1", "LED-V2",
  ]

  private static func chosen<Element>(_ count: Int, of elements: [Element], seed: UInt64) -> [Element] {
    var random = Xorshift(seed: seed)
    return Array(elements.shuffled(using: &random).prefix(count))
  }

  private static let surfaces = chosen(20, of: Spectra.reflectances(.munsell, .various, .skin), seed: 20)

  @Test(arguments: chosen(2, of: cameras, seed: 2))
  func camerasLampsAndSurfaces(_ name: String) throws {
    let lamps = Self.chosen(3, of: Self.lamps, seed: 3).map(SimulatedLight.named)
    let rooms = lamps.flatMap { lamp in LightGrid.lux.map { LightGrid.Room(light: lamp, lux: $0) } }
    let trial = try ConstancyTrial(Self.surfaces, SimulatedCamera(name), rooms: rooms)
    let table = ConstancyTable(trial.readings)
    table.print(name)
    #expect(table.reduction >= 0.87 - 0.1)
    for lux in LightGrid.lux {
      let part = ConstancyTable(trial.readings.filter { $0.lux == lux })
      part.print("  \(Int(lux)) lx")
      #expect(part.believed >= (lux <= 200 ? 0.8 : 0.4), "\(lux) lx")
    }
    let errors = trial.readings.filter(\.isBelieved).map(\.error)
    let mean = errors.reduce(0, +) / Double(errors.count)
    if ConstancyTable.isWanted { print(name, "dE2000: mean", mean, "largest", errors.max() ?? 0) }
    #expect(mean <= 2.2)
  }

  /// A window on the left and a lamp on the right.
  @Test func lightFromTwoSides() throws {
    let rooms = [10.0, 50, 200].flatMap { lux in
      [(SimulatedLight.planckian(2800), lux), (.named("FL7"), lux)].map { LightGrid.Room(light: $0.0, lux: $0.1) }
    }
    let trial = try ConstancyTrial(Self.surfaces, SimulatedCamera("Nikon D5100"), rooms: rooms) { pair in
      pair.lamps[0].field = { x, _ in 1 - 0.9 * x }
      pair.lamps.append(.init(light: .named("D75"), lux: pair.lamps[0].lux, field: { x, y in 0.1 + 0.9 * x * y }))
    }
    let table = ConstancyTable(trial.readings)
    table.print("two sides")
    #expect(table.believed >= 0.8)
    #expect(table.reduction >= 0.87 - 0.1)
  }

  /// The camera moved: near patches moved more than far ones.
  @Test func parallax() throws {
    let rooms = LightGrid.sample.filter { 50...200 ~= $0.lux }
    let trial = try ConstancyTrial(Self.surfaces, SimulatedCamera("Nikon D5100"), rooms: rooms) { pair in
      pair.displacement = { _, y in (x: 1.5 + 1.5 * y / 150, y: -0.7) }
    }
    let table = ConstancyTable(trial.readings)
    table.print("parallax")
    #expect(table.believed >= 0.8)
    #expect(table.reduction >= 0.87 - 0.1)
  }
}
