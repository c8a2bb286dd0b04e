internal import Foundation

/// Values as deterministic JSON.
package enum LinkValues {
  /// Encodes values.
  package static func encode(_ value: some Encodable) throws(LinkError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return [UInt8](try encoder.encode(value)) } catch { throw .isMalformed }
  }

  /// Decodes values.
  package static func decode<Value: Decodable>(_ type: Value.Type, _ json: [UInt8]) throws(LinkError) -> Value {
    do { return try JSONDecoder().decode(type, from: Data(json)) } catch { throw .isMalformed }
  }

  /// Decodes text.
  package static func text(_ bytes: [UInt8]) throws(LinkError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .isMalformed }
    return text
  }
}
