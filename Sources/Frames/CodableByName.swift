/// A value that is encoded as its name and decoded by looking it up.
public protocol CodableByName: Codable {
  /// The encoded name; `named(_:)` finds the value by it.
  var name: String { get }

  /// The value with a name; nil: none.
  static func named(_ name: String) -> Self?
}

extension CodableByName {
  /// Decodes a value by name.
  /// - Throws: `DecodingError` for an unknown name.
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
