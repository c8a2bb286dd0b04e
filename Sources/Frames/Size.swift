/// Size of a picture or plane in samples.
public struct Size: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Columns of samples.
  public var width: Int
  /// Rows of samples.
  public var height: Int

  /// Any size; layouts and encoders determine what can be coded.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The range of sides of real pictures, within which products cannot overflow.
  private static let possibleSides = 0...1 << 20

  /// - Throws: `DecodingError` for sides outside `possibleSides`.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func side(_ key: CodingKeys) throws -> Int {
      try values.decode(Int.self, forKey: key, in: Self.possibleSides)
    }
    self.init(width: try side(.width), height: try side(.height))
  }

  public var description: String { "\(width)x\(height)" }
}

extension KeyedDecodingContainer {
  /// Decodes a number within the range that picture arithmetic supports.
  /// - Throws: `DecodingError` for others.
  package func decode<Number: Comparable & Decodable>(
    _ type: Number.Type, forKey key: Key, in range: ClosedRange<Number>
  ) throws -> Number {
    let number = try decode(type, forKey: key)
    guard range.contains(number) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "\(number) is not in \(range.lowerBound)...\(range.upperBound)")
    }
    return number
  }
}
