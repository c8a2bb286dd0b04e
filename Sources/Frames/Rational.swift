/// A fraction, as containers state time bases, frame rates and aspect ratios.
public struct Rational: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The upper part.
  public var numerator: Int
  /// The lower part; 0 where a container has no value.
  public var denominator: Int

  /// A fraction as it is written; it is not reduced.
  public init(_ numerator: Int, _ denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The quotient; not a number when the denominator is zero.
  public var value: Double { denominator == 0 ? .nan : Double(numerator) / Double(denominator) }

  public var description: String { "\(numerator)/\(denominator)" }
}
