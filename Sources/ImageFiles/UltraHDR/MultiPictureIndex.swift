/// The locations of further pictures in a file.
///
/// Source: CIPA DC-007 (2009), 5.2: a TIFF directory with offsets relative to its start.
enum MultiPictureIndex {
  private static let entriesTag: UInt16 = 0xB002
  private static let entryByteCount = 16
  /// Maximum number of entries that are read; phones write about ten.
  private static let maxPictures = 32

  /// - Parameter index: The segment after its name, a slice of the file.
  /// - Returns: Distinct ranges of the file, without the first picture and anything out of bounds.
  static func pictures(_ index: ArraySlice<UInt8>, fileByteCount: Int) -> [Range<Int>] {
    guard let directory = TIFFDirectory(index), var entry = directory.entry(entriesTag),
      let byteCount = entry.next(UInt32.self), let offset = entry.next(UInt32.self)
    else { return [] }
    var reader = directory.reader
    reader.seek(Int(offset))
    return entries(&reader, Int(byteCount) / entryByteCount, start: index.startIndex, fileByteCount)
  }

  private static func entries(
    _ reader: inout ByteReader, _ count: Int, start: Int, _ fileByteCount: Int
  ) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for _ in 0..<min(count, maxPictures) {
      guard reader.next(UInt32.self) != nil, let size = reader.next(UInt32.self),
        let offset = reader.next(UInt32.self), reader.next(UInt32.self) != nil
      else { break }
      let first = start + Int(offset)
      guard offset > 0, size > 0, first + Int(size) <= fileByteCount else { continue }
      if !result.contains(where: { $0.lowerBound == first }) { result.append(first..<first + Int(size)) }
    }
    return result
  }
}
