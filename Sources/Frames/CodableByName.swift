/// A value that travels as its name: encoding writes the name, decoding looks it up.
public protocol CodableByName: Codable {
  /// What is written; `named(_:)` finds the value by it.
  var name: String { get }

  /// The value of a name; nil where there is none.
  static func named(_ name: String) -> Self?
}

extension CodableByName {
  /// The value of a coded name.
  /// - Throws: `DecodingError` for a name that nothing has.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let value = Self.named(name) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "There is no \(Self.self) '\(name)'.")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
