/// Metadata OBUs in AV1 packets.
enum MetadataOBUs {
  /// Source: AV1 Bitstream & Decoding Process Specification, 6.2.2 and 6.7.1.
  private static let metadata: UInt8 = 5
  private static let pictures: ClosedRange<UInt8> = 3...4
  private static let frame: UInt8 = 6
  private static let t35 = 4
  /// Longer ones are skipped.
  private static let longestUnit = 1 << 16

  /// The T.35 messages before the first frame, with trailing bits.
  static func t35(in packet: Span<UInt8>) -> [[UInt8]] {
    var result: [[UInt8]] = []
    var position = 0
    while position < packet.count {
      let header = packet[position]
      let type = header >> 3 & 0xF
      // One more byte with the extension flag. Source: 5.3.2.
      position += header & 4 == 0 ? 1 : 2
      var size = packet.count - position
      if header & 2 != 0 {
        guard let coded = LEB128.read(packet, &position) else { break }
        size = coded
      }
      guard size >= 0, size <= packet.count - position else { break }
      if type == frame || pictures.contains(type) { break }
      let end = position + size
      if type == metadata, size <= longestUnit, LEB128.read(packet, &position) == t35, position < end {
        result.append((position..<end).map { packet[$0] })
      }
      position = end
    }
    return result
  }
}

/// Little-endian base-128 integers, as in AV1.
///
/// Source: AV1 Bitstream and Decoding Process Specification (2019), 4.10.5.
enum LEB128 {
  /// - Parameter position: Position of the first byte; after the call, of the byte after the last one.
  /// - Returns: nil if the number is unterminated.
  static func read(_ bytes: Span<UInt8>, _ position: inout Int) -> Int? {
    var value = 0
    for group in 0..<8 {
      guard position < bytes.count else { return nil }
      let byte = bytes[position]
      position += 1
      value |= Int(byte & 0x7F) << (7 * group)
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}
