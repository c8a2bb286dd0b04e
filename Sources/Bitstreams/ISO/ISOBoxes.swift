/// Boxes of an MP4 file in memory, one after the other.
package struct ISOBoxes {
  /// Bytes of a visual sample entry before its boxes. Source: ISO/IEC 14496-12:2022, 12.1.3.2.
  static let visualEntryLength = 78
  /// Version, flags and number of entries. Source: ISO/IEC 14496-12:2022, 8.5.2.2.
  private static let descriptionLength = 8

  /// The serialized boxes.
  package let bytes: [UInt8]

  package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Type and content of each box, up to the first damaged one.
  package var all: [(type: String, content: ArraySlice<UInt8>)] {
    var result: [(type: String, content: ArraySlice<UInt8>)] = []
    var rest = bytes[...]
    while let header = ISOBoxHeader(Array(rest.prefix(ISOBoxHeader.maxByteCount))) {
      let size = header.size ?? rest.count
      guard (header.byteCount...max(header.byteCount, rest.count)).contains(size) else { break }
      result.append((header.type, rest.prefix(size).dropFirst(header.byteCount)))
      rest = rest.dropFirst(size)
    }
    return result
  }

  /// The content of the first box of a type; an entry of `sampleEntries` is treated as a visual one.
  package subscript(type: String) -> ISOBoxes? {
    guard let content = all.first(where: { $0.type == type })?.content else { return nil }
    return ISOBoxes(["avc1", "hvc1", "av01"].contains(type) ? content.dropFirst(Self.visualEntryLength) : content)
  }

  /// The sample entries of a sample table.
  package var sampleEntries: ISOBoxes? { self["stsd"].map { ISOBoxes($0.bytes.dropFirst(Self.descriptionLength)) } }
}

/// The size and type at the start of a box in an MP4 or QuickTime file. Source: ISO/IEC 14496-12:2022, 4.2.2.
struct ISOBoxHeader {
  /// Bytes of the longest header.
  static let maxByteCount = 16
  /// Bytes of a header without a 64-bit size.
  static let shortByteCount = 8

  let type: String
  /// Bytes of the header.
  let byteCount: Int
  /// Size of the box in bytes, including the header; nil: it extends to the end of its container.
  let size: Int?

  /// - Parameter bytes: The first bytes of the box, up to `maxByteCount`.
  /// - Returns: nil if the header is truncated.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 8 else { return nil }
    type = String(decoding: bytes[4..<8], as: UTF8.self)
    switch bytes.word(at: 0) {
    case 0: (byteCount, size) = (8, nil)
    case 1:
      guard bytes.count >= 16 else { return nil }
      (byteCount, size) = (16, Int(clamping: UInt64(bytes.word(at: 8)) << 32 | UInt64(bytes.word(at: 12))))
    case let short: (byteCount, size) = (8, Int(short))
    }
  }

  /// A box of less than 4 GiB.
  static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    UInt32(clamping: content.count + shortByteCount).bigEndianBytes + type.utf8 + content
  }
}
