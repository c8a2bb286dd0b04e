internal import Foundation

/// JSON of the files in a work folder: short, and with keys in order, so that equal values are equal bytes.
enum JSONText {
  /// - Returns: nil for numbers that JSON does not have, such as infinity.
  static func bytes(_ value: some Encodable) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { Array($0) + [UInt8(ascii: "\n")] }
  }

  static func value<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }
}
