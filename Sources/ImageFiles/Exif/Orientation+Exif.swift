internal import Frames

extension Orientation {
  private static let tag: UInt16 = 0x0112

  /// The orientation in the Exif segment of a JPEG picture; nil if it is missing or invalid.
  /// - Parameter content: The bytes after "Exif" and two zeros: a TIFF structure.
  /// Source: CIPA DC-008 (Exif 2.32), 4.5.2 for the structure, 4.6.4 for the tag.
  init?(exifSegment content: ArraySlice<UInt8>) {
    guard content.starts(with: [0x49, 0x49]) || content.starts(with: [0x4D, 0x4D]),
      let directory = TIFFDirectory(content)
    else { return nil }
    var header = directory.reader
    header.seek(2)
    guard header.next(UInt16.self) == 42, var entry = directory.entry(Self.tag), entry.next(UInt32.self) != nil,
      let code = entry.next(UInt16.self), let orientation = Orientation(exif: Int(code))
    else { return nil }
    self = orientation
  }
}
