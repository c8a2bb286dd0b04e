/// Bounds-safe reading: missing bytes read as 0, as if padded.
extension Span<UInt8> {
  /// The byte at an offset; 0 outside the span.
  subscript(at offset: Int) -> Int { indices.contains(offset) ? Int(self[offset]) : 0 }

  /// A little-endian integer, 0...65535.
  func integer16(at offset: Int) -> Int { self[at: offset] | self[at: offset + 1] << 8 }

  /// A little-endian three-byte integer, such as an IEEE OUI.
  func integer24(at offset: Int) -> Int { integer16(at: offset) | self[at: offset + 2] << 16 }

  /// A little-endian four-byte integer.
  func integer32(at offset: Int) -> UInt32 { UInt32(integer16(at: offset)) | UInt32(integer16(at: offset + 2)) << 16 }

  /// The existing part of a range.
  @_lifetime(copy self)
  func part(_ range: Range<Int>) -> Span<UInt8> { extracting(range.clamped(to: indices)) }

  /// The sum modulo 256, 0 for a block with a correct checksum.
  var checksum: UInt8 {
    var sum: UInt8 = 0
    for index in indices { sum &+= self[index] }
    return sum
  }

  /// Whether every byte is 0.
  var isZero: Bool { indices.allSatisfy { self[$0] == 0 } }
}
