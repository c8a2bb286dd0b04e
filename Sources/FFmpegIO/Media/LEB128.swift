/// Numbers in groups of seven bits, as AV1 has them.
///
/// Source: AV1 Bitstream and Decoding Process Specification (2019), 4.10.5.
enum LEB128 {
  /// - Parameter position: Of the first byte; that behind the last one after the call.
  /// - Returns: nil where the number does not end.
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
