/// A fraction, as containers state time bases, frame rates and aspect ratios.
public struct Rational: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The numerator.
  public var numerator: Int
  /// The denominator; 0 if a container has no value.
  public var denominator: Int

  /// An unreduced fraction.
  public init(_ numerator: Int, _ denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The terms that containers and FFmpeg support.
  private static let terms = Int(-Int32.max)...Int(Int32.max)

  /// - Throws: `DecodingError` for terms that do not fit 32 bits.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func term(_ key: CodingKeys) throws -> Int { try values.decode(Int.self, forKey: key, in: Self.terms) }
    self.init(try term(.numerator), try term(.denominator))
  }

  /// The quotient; NaN if the denominator is zero.
  public var value: Double { denominator == 0 ? .nan : Double(numerator) / Double(denominator) }

  public var description: String { "\(numerator)/\(denominator)" }
}
