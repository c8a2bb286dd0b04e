internal import Frames

extension Orientation {
  private static let tag = 0x0112

  /// What the Exif segment of a JPEG picture says; nil where it says nothing that can be.
  /// - Parameter content: The bytes after "Exif" and two zeros: a TIFF structure.
  /// Source: CIPA DC-008 (Exif 2.32), 4.5.2 for the structure, 4.6.4 for the tag.
  init?(exifSegment content: ArraySlice<UInt8>) {
    let bytes = Array(content)
    let isLittle = bytes.starts(with: [0x49, 0x49])
    guard isLittle || bytes.starts(with: [0x4D, 0x4D]) else { return nil }
    func number(at offset: Int, _ count: Int) -> Int? {
      guard offset >= 0, offset <= bytes.count - count else { return nil }
      let field = bytes[offset..<offset + count]
      return (isLittle ? Array(field.reversed()) : Array(field)).reduce(0) { $0 << 8 | Int($1) }
    }
    guard number(at: 2, 2) == 42, let directory = number(at: 4, 4), let count = number(at: directory, 2) else {
      return nil
    }
    // Entries of twelve bytes: tag, type, count, and a value of two bytes at its start.
    let entry = (0..<count).lazy.map { directory + 2 + 12 * $0 }.first { number(at: $0, 2) == Self.tag }
    guard let code = entry.flatMap({ number(at: $0 + 8, 2) }), let orientation = Orientation(exif: code) else {
      return nil
    }
    self = orientation
  }
}
