import Foundation
import TestSupport
import Testing

/// The same bars, less a tenth, with cameras, lamps and surfaces that nothing was tuned to.
@Suite struct ConstantColorHeldOutTests {
  private static let lamps = [
    "FL4", "FL7", "FL10", "FL12", "HP1", "HP4", "HP5", "LED-BH1", "LED-RGB1", "LED-V1", "LED-V2",
  ]

  private static func chosen<Element>(_ count: Int, of elements: [Element], seed: UInt64) -> [Element] {
    var random = Xorshift(seed: seed)
    return Array(elements.shuffled(using: &random).prefix(count))
  }

  private static let surfaces = chosen(20, of: Spectra.reflectances(.munsell, .various, .skin), seed: 20)

  private static func trial(_ camera: SimulatedCamera) throws -> ConstancyTrial {
    let lamps = chosen(3, of: lamps, seed: 3).map(SimulatedLight.named)
    let rooms = lamps.flatMap { lamp in LightGrid.lux.map { LightGrid.Room(light: lamp, lux: $0) } }
    return try ConstancyTrial(surfaces, camera, rooms: rooms)
  }

  @Test(arguments: ["Canon PowerShot S90", "Sony ILCE-7RM2"])
  func camerasLampsAndSurfaces(_ name: String) throws {
    let trial = try Self.trial(SimulatedCamera(name))
    let table = ConstancyTable(trial.readings)
    table.print(name)
    #expect(table.reduction >= 0.87 - 0.1)
    for lux in LightGrid.lux {
      let part = ConstancyTable(trial.readings.filter { $0.lux == lux })
      part.print("\(name), \(Int(lux)) lx")
      #expect(part.believed >= (lux <= 200 ? 0.8 : 0.4), "\(lux) lx")
    }
    try checkErrors(trial, SimulatedCamera(name))
  }

  /// What noise and the lamps add to the errors that the matrix alone leaves.
  private func checkErrors(_ trial: ConstancyTrial, _ camera: SimulatedCamera) throws {
    let believed = trial.readings.filter(\.isBelieved)
    let alone = try SimulatedColor.matrixErrors(camera, flash: .named("LED-B4"), Set(Self.surfaces))
    let error = believed.reduce(0) { $0 + $1.error } / Double(believed.count)
    let least = believed.reduce(0) { $0 + (alone[$1.surface] ?? 0) } / Double(believed.count)
    if ConstancyTable.isWanted { print(camera.name, "dE2000: mean", error, "by the matrix alone", least) }
    #expect(error < least + 0.3)
  }

  /// A sensor whose layers see nearly the same needs a strong matrix, which amplifies noise: less is believed, and what
  /// is believed holds.
  @Test func similarChannels() throws {
    let trial = try Self.trial(SimulatedCamera("Sigma SD Merrill"))
    let table = ConstancyTable(trial.readings)
    table.print("Sigma SD Merrill")
    #expect(table.believed < 0.6)
    #expect(table.reduction >= 0.87 - 0.1)
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

  /// The camera moved, and what is near moved more.
  @Test func parallax() throws {
    let rooms = LightGrid.sample.filter { 50...200 ~= $0.lux }
    let trial = try ConstancyTrial(Self.surfaces, SimulatedCamera("Nikon D5100"), rooms: rooms) { pair in
      pair.displacement = { x, y in
        let (right, down) = (x - 110, y - 110)
        return (x: 1.5 + 2 * exp(-(right * right + down * down) / 6000), y: -1)
      }
    }
    let table = ConstancyTable(trial.readings)
    table.print("parallax")
    #expect(table.believed >= 0.8)
    #expect(table.reduction >= 0.87 - 0.1)
  }
}
