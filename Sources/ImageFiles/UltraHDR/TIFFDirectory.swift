/// The first directory of a TIFF structure in a JPEG segment; offsets are relative to its start.
///
/// Source: TIFF 6.0 (1992), section 2.
struct TIFFDirectory {
  /// Reader of the whole structure.
  private(set) var reader: ByteReader
  private let start: Int
  private let count: Int

  /// - Returns: nil if the bytes end before the directory.
  init?(_ content: ArraySlice<UInt8>) {
    reader = ByteReader(content, isBigEndian: !content.starts(with: [0x49, 0x49]))
    reader.seek(4)
    guard let offset = reader.next(UInt32.self) else { return nil }
    reader.seek(Int(offset))
    guard let count = reader.next(UInt16.self) else { return nil }
    (start, self.count) = (Int(offset) + 2, Int(count))
  }

  /// A reader at the value count of the first entry with a tag; the value or its offset follows.
  func entry(_ tag: UInt16) -> ByteReader? {
    var reader = reader
    for index in 0..<count {
      // Twelve bytes: tag, type, number of values, value or offset.
      reader.seek(start + 12 * index)
      guard let found = reader.next(UInt16.self), reader.next(UInt16.self) != nil else { return nil }
      if found == tag { return reader }
    }
    return nil
  }
}
