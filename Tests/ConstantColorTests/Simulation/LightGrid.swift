/// The lights of a room in which a colour must stay what it is.
enum LightGrid {
  struct Room: Sendable, CustomStringConvertible {
    let light: SimulatedLight
    let lux: Double

    var description: String { "\(light), \(Int(lux)) lx" }
  }

  static let lux = [10.0, 50, 200, 800]
  private static let temperatures = [3000.0, 4000, 5000, 6500, 7500]
  /// Planckian, green, magenta.
  private static let tints = [0, 0.02, -0.02]

  private static let lights = temperatures.map { kelvins in tints.map { SimulatedLight.planckian(kelvins, duv: $0) } }

  /// Every strength, temperature and tint.
  static let all = lux.flatMap { lux in lights.flatMap { $0 }.map { Room(light: $0, lux: lux) } }

  /// Every strength and temperature, the tints in turn.
  static let sample = lux.indices.flatMap { row in
    lights.indices.map { Room(light: lights[$0][(row + $0) % tints.count], lux: lux[row]) }
  }

  /// LEDs of one colour.
  static let colored = [
    SimulatedLight.led("red LED", at: 630), .led("green LED", at: 525), .led("blue LED", at: 460),
  ].flatMap { light in [10.0, 50, 200].map { Room(light: light, lux: $0) } }
}
