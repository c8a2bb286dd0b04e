/// The light around a display as it is written: an illuminance in lux, as "314" or "314 lx", or a luminance, as "100 cd/m2".
public struct Surround: RawRepresentable, Sendable, Hashable, Codable {
  /// What is written.
  public let rawValue: String
  /// Luminance in cd/m².
  public let nits: Double

  /// A white wall reflects this luminance of a lux.
  private static let nitsPerLux = 1 / Double.pi
  private static let units: [(name: String, nits: Double)] = [
    ("cd/m2", 1), ("cd/m²", 1), ("nits", 1), ("lux", nitsPerLux), ("lx", nitsPerLux), ("", nitsPerLux),
  ]

  /// nil if it is not a number with one of the units lx, lux, cd/m2, cd/m² or nits, or none.
  public init?(rawValue: String) {
    self.rawValue = rawValue
    guard let unit = Self.units.first(where: { rawValue.hasSuffix($0.name) }) else { return nil }
    let number = rawValue.dropLast(unit.name.count)
    guard let value = Double(number.hasSuffix(" ") ? number.dropLast() : number), value.isFinite else { return nil }
    nits = value * unit.nits
  }
}
