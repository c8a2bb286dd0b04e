/// A fraction, as containers state time bases, frame rates and aspect ratios.
public struct Rational: Sendable, Hashable, Codable, CustomStringConvertible {
  public var numerator: Int
  public var denominator: Int

  public init(_ numerator: Int, _ denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The quotient; not a number when the denominator is zero.
  public var value: Double { denominator == 0 ? .nan : Double(numerator) / Double(denominator) }

  public var description: String { "\(numerator)/\(denominator)" }
}
