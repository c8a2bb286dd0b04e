/// Reads the syntax elements of a header of H.264 or HEVC, bit by bit.
///
/// Source: ISO/IEC 23008-2, 7.2 and 9.2.
package struct SyntaxReader {
  private let bytes: [UInt8]
  private var position = 0

  /// - Parameter bytes: Bytes without emulation prevention.
  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A number of `count` bits, at most 32; nil beyond the end.
  mutating func bits(_ count: Int) -> Int? {
    guard position + count <= bytes.count * 8 else { return nil }
    var value = 0
    for _ in 0..<count {
      value = value << 1 | Int(bytes[position >> 3] >> (7 - UInt8(position & 7)) & 1)
      position += 1
    }
    return value
  }

  /// nil beyond the end.
  mutating func flag() -> Bool? { bits(1).map { $0 != 0 } }

  /// An Exp-Golomb number, less than 2^32; nil for an invalid code.
  package mutating func number() -> Int? {
    var zeros = 0
    while true {
      guard let bit = bits(1) else { return nil }
      if bit == 1 { break }
      zeros += 1
    }
    guard zeros < 32, let low = bits(zeros) else { return nil }
    return 1 << zeros - 1 + low
  }

  /// - Returns: nil beyond the end.
  mutating func skip(_ count: Int) -> Void? {
    guard count <= bytes.count * 8 - position else { return nil }
    position += count
    return ()
  }

  /// Skips Exp-Golomb numbers.
  /// - Returns: nil if one of them is invalid.
  mutating func skipNumbers(_ count: Int) -> Void? {
    for _ in 0..<count { guard number() != nil else { return nil } }
    return ()
  }
}
