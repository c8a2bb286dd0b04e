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

  /// The quotient; NaN if the denominator is zero.
  public var value: Double { denominator == 0 ? .nan : Double(numerator) / Double(denominator) }

  public var description: String { "\(numerator)/\(denominator)" }
}
