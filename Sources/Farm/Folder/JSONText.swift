internal import Foundation

/// JSON for files in a work folder: compact, with sorted keys, so that equal values give equal bytes.
enum JSONText {
  /// - Returns: nil for numbers that JSON cannot represent, such as infinity.
  static func bytes(_ value: some Encodable) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return (try? encoder.encode(value)).map { Array($0) + [UInt8(ascii: "\n")] }
  }

  static func value<Value: Decodable>(_ type: Value.Type, _ bytes: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }
}
