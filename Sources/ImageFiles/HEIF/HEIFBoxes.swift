/// The boxes inside a range of an ISO base media file; reads stay within the range.
///
/// Source: ISO/IEC 14496-12, 4.2.
struct HEIFBoxes: Sequence, IteratorProtocol {
  struct Box {
    let type: String
    /// The bytes after the header.
    let content: ArraySlice<UInt8>
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> Box? {
    guard let short = rest.integer(at: 0, 4), let type = rest.text(at: 4) else { return nil }
    // 1: a 64-bit size follows; 0: to the end.
    let header = short == 1 ? 16 : 8
    guard let size = short == 1 ? rest.integer(at: 8, 8) : short == 0 ? rest.count : short, size >= header,
      size <= rest.count
    else { return nil }
    let box = rest.prefix(size)
    rest = rest.dropFirst(size)
    return Box(type: type, content: box.dropFirst(header))
  }

  /// Content of the first box of a type.
  func first(_ type: String) -> ArraySlice<UInt8>? { first { $0.type == type }?.content }
}

extension ArraySlice<UInt8> {
  /// The big-endian integer of `size` bytes, at most 8, at `offset` from the start; nil if it is out of bounds or does
  /// not fit.
  func integer(at offset: Int, _ size: Int) -> Int? {
    guard offset >= 0, offset <= count - size else { return nil }
    return Int(exactly: dropFirst(offset).prefix(size).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }

  /// The four characters at `offset`.
  func text(at offset: Int) -> String? {
    offset <= count - 4 ? String(decoding: dropFirst(offset).prefix(4), as: UTF8.self) : nil
  }
}
