/// Reads integers of either byte order, with bounds checks.
struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int
  let isBigEndian: Bool

  init(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool = true) {
    self.bytes = bytes
    position = bytes.startIndex
    self.isBigEndian = isBigEndian
  }

  /// - Parameter offset: From the start of the bytes.
  mutating func seek(_ offset: Int) { position = bytes.startIndex + min(max(offset, 0), bytes.count) }

  /// The next bytes; nil if there are fewer.
  func rest(_ count: Int) -> ArraySlice<UInt8>? {
    count <= bytes.endIndex - position ? bytes[position..<position + count] : nil
  }

  /// - Returns: nil at the end of the bytes.
  mutating func next<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
    let count = Value.bitWidth / 8
    guard bytes.endIndex - position >= count else { return nil }
    let value = bytes[position..<position + count]
    position += count
    return (isBigEndian ? Array(value) : value.reversed()).reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
  }
}
