/// The basis of the flash colour.
public enum FlashBasis: Sendable, Hashable {
  /// A correlated colour temperature in kelvins.
  case temperature(Double)
  /// R, G and B of a neutral surface in the light of the flash.
  case neutral(SIMD3<Double>)
  /// A calibration by name, with the mean and maximum CIEDE2000 of its fit, if known.
  case calibration(name: String, meanDeltaE: Double?, largestDeltaE: Double?)
}

extension FlashBasis: Codable {
  private enum Key: String, CodingKey {
    case basis, temperature, neutral, name
    case meanDeltaE = "mean_delta_e_2000"
    case largestDeltaE = "max_delta_e_2000"
  }

  private enum Kind: String, Codable { case temperature, neutral, calibration }

  /// Decodes an object whose `basis` determines its other keys.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    switch try values.decode(Kind.self, forKey: .basis) {
    case .temperature: self = .temperature(try values.decode(Double.self, forKey: .temperature))
    case .neutral: self = .neutral(try values.decode(SIMD3<Double>.self, forKey: .neutral))
    case .calibration:
      self = .calibration(
        name: try values.decode(String.self, forKey: .name),
        meanDeltaE: try values.decodeIfPresent(Double.self, forKey: .meanDeltaE),
        largestDeltaE: try values.decodeIfPresent(Double.self, forKey: .largestDeltaE))
    }
  }

  /// Encodes an object whose `basis` determines its other keys.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    switch self {
    case .temperature(let kelvins):
      try values.encode(Kind.temperature, forKey: .basis)
      try values.encode(kelvins, forKey: .temperature)
    case .neutral(let color):
      try values.encode(Kind.neutral, forKey: .basis)
      try values.encode(color, forKey: .neutral)
    case .calibration(let name, let mean, let largest):
      try values.encode(Kind.calibration, forKey: .basis)
      try values.encode(name, forKey: .name)
      try values.encode(mean, forKey: .meanDeltaE)
      try values.encode(largest, forKey: .largestDeltaE)
    }
  }
}
