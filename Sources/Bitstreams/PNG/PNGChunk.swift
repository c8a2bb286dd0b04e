/// A chunk of a PNG file: a type of four letters and its data.
///
/// Source: PNG (Third Edition, W3C, 2025), 5.3, "Chunk layout".
package struct PNGChunk: Sendable, Hashable {
  package let type: String
  package let data: [UInt8]

  /// - Parameter type: Four ASCII letters.
  package init(_ type: String, _ data: [UInt8]) {
    self.type = type
    self.data = data
  }

  /// The bytes at the start of a file. Source: PNG (Third Edition), 5.2.
  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// The serialized chunk: length, type, data, checksum.
  package var bytes: [UInt8] { UInt32(data.count).bigEndianBytes + type.utf8 + data + checksum.bigEndianBytes }

  /// CRC-32 over type and data. Source: PNG (Third Edition), 5.5 and annex D.
  package var checksum: UInt32 {
    var crc = UInt32.max
    for byte in Array(type.utf8) + data { crc = Self.remainders[Int((crc ^ UInt32(byte)) & 0xFF)] ^ crc >> 8 }
    return ~crc
  }

  /// Remainders of each byte divided by the reflected polynomial of CRC-32.
  private static let remainders: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 0 ? crc >> 1 : 0xEDB8_8320 ^ crc >> 1 }
  }
}
