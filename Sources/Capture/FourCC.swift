/// A four-character code of a pixel format.
///
/// Source: Linux, include/uapi/linux/videodev2.h, `v4l2_fourcc`.
public struct FourCC: RawRepresentable, Sendable, Hashable, Codable {
  /// The first character in the lowest byte; the top bit marks a big-endian variant.
  public var rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Creates a code from at most four ASCII characters, padded with spaces.
  public init(_ text: StaticString) {
    var code: UInt32 = 0
    let characters = Array("\(text)".utf8.prefix(4)) + [32, 32, 32, 32]
    for (index, character) in characters.prefix(4).enumerated() { code |= UInt32(character) << UInt32(8 * index) }
    rawValue = code
  }

  /// Creates a code from one to four printable ASCII characters; nil for anything else.
  public init?(characters text: String) {
    let bytes = Array(text.utf8)
    guard (1...4).contains(bytes.count), bytes.allSatisfy({ (33...126).contains($0) }) else { return nil }
    rawValue = (bytes + [32, 32, 32]).prefix(4).enumerated().reduce(0) { code, byte in
      code | UInt32(byte.element) << UInt32(8 * byte.offset)
    }
  }

  /// The characters; unprintable ones become a full stop, and a big-endian variant ends with "-BE".
  public var text: String {
    let characters = (0..<4).map { index -> Character in
      let byte = UInt8(truncatingIfNeeded: rawValue >> UInt32(8 * index)) & 0x7F
      return byte >= 32 && byte < 127 ? Character(UnicodeScalar(byte)) : "."
    }
    let end = rawValue >> 31 == 1 ? "-BE" : ""
    return String(characters).trimmingSuffix { $0 == " " } + end
  }
}

extension String {
  fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> String {
    var text = self
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return text
  }
}
