/// Ambient light around a display as text: an illuminance in lux, "314" or "314 lx", or a luminance, "100 cd/m2".
public struct Surround: RawRepresentable, Sendable, Hashable, Codable {
  /// The text.
  public let rawValue: String
  /// Luminance in cd/m².
  public let nits: Double

  /// Luminance in cd/m² of a white wall per lux.
  private static let nitsPerLux = 1 / Double.pi
  private static let units: [(name: String, nits: Double)] = [
    ("cd/m2", 1), ("cd/m²", 1), ("nits", 1), ("lux", nitsPerLux), ("lx", nitsPerLux), ("", nitsPerLux),
  ]

  /// nil unless it is a number without a unit or with one of lx, lux, cd/m2, cd/m² or nits.
  public init?(rawValue: String) {
    self.rawValue = rawValue
    guard let unit = Self.units.first(where: { rawValue.hasSuffix($0.name) }) else { return nil }
    let number = rawValue.dropLast(unit.name.count)
    guard let value = Double(number.hasSuffix(" ") ? number.dropLast() : number), value.isFinite else { return nil }
    nits = value * unit.nits
  }
}
