/// The size and type at the start of a box in an MP4 or QuickTime file.
///
/// Source: ISO/IEC 14496-12:2022, 4.2.2.
struct ISOBoxHeader {
  /// Bytes of the longest header.
  static let maxByteCount = 16
  /// Bytes of a header without a 64-bit size.
  static let shortByteCount = 8

  let type: String
  /// Bytes of the header.
  let byteCount: Int
  /// Size of the box in bytes, including the header; nil: it extends to the end of its container.
  let size: Int?

  /// - Parameter bytes: The first bytes of the box, up to `maxByteCount`.
  /// - Returns: nil if the header is truncated.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 8 else { return nil }
    type = String(decoding: bytes[4..<8], as: UTF8.self)
    switch bytes.word(at: 0) {
    case 0: (byteCount, size) = (8, nil)
    case 1:
      guard bytes.count >= 16 else { return nil }
      (byteCount, size) = (16, Int(clamping: UInt64(bytes.word(at: 8)) << 32 | UInt64(bytes.word(at: 12))))
    case let short: (byteCount, size) = (8, Int(short))
    }
  }

  /// A box of less than 4 GiB.
  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    UInt32(clamping: content.count + shortByteCount).bigEndianBytes + type.utf8 + content
  }
}
