internal import Foundation

/// Values as JSON, which is the same text for the same values.
package enum LinkValues {
  /// Values as they are sent.
  package static func encode(_ value: some Encodable) throws(LinkError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return [UInt8](try encoder.encode(value)) } catch { throw .isMalformed }
  }

  /// Values as they were received.
  package static func decode<Value: Decodable>(_ type: Value.Type, _ json: [UInt8]) throws(LinkError) -> Value {
    do { return try JSONDecoder().decode(type, from: Data(json)) } catch { throw .isMalformed }
  }

  /// Text that came as bytes.
  package static func text(_ bytes: [UInt8]) throws(LinkError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .isMalformed }
    return text
  }
}
