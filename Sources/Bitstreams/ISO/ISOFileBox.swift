internal import Foundation

/// A box of an MP4 or QuickTime file on disk.
struct ISOFileBox {
  let start: UInt64
  let end: UInt64
  let header: ISOBoxHeader

  /// The range of the content in the file.
  var content: Range<UInt64> { start + UInt64(header.byteCount)..<end }

  /// The boxes of a type in a range of a file, up to the first damaged one.
  static func all(_ type: String, in range: Range<UInt64>, _ file: FileHandle) throws -> [ISOFileBox] {
    var found: [ISOFileBox] = []
    var offset = range.lowerBound
    while let box = try ISOFileBox(at: offset, in: range, file) {
      if box.header.type == type { found.append(box) }
      offset = box.end
    }
    return found
  }

  /// The first box of a type in a range of a file.
  static func first(_ type: String, in range: Range<UInt64>, _ file: FileHandle) throws -> ISOFileBox? {
    var offset = range.lowerBound
    while let box = try ISOFileBox(at: offset, in: range, file) {
      if box.header.type == type { return box }
      offset = box.end
    }
    return nil
  }

  /// The box at an offset; nil at the end, or if it is damaged.
  private init?(at offset: UInt64, in range: Range<UInt64>, _ file: FileHandle) throws {
    guard offset + UInt64(ISOBoxHeader.shortByteCount) <= range.upperBound else { return nil }
    try file.seek(toOffset: offset)
    guard let header = ISOBoxHeader([UInt8](try file.read(upToCount: ISOBoxHeader.maxByteCount) ?? Data())) else {
      return nil
    }
    let size = header.size.map { UInt64($0) } ?? range.upperBound - offset
    guard size >= UInt64(header.byteCount), size <= range.upperBound - offset else { return nil }
    (start, end, self.header) = (offset, offset + size, header)
  }
}

/// The offsets of all tracks' chunks in the file.
///
/// Source: ISO/IEC 14496-12:2022, 8.7.5 (stco, co64).
struct ISOChunkOffsets {
  private struct Table {
    /// Offset of the first entry in the file.
    let start: UInt64
    let isLong: Bool
    var offsets: [UInt64]
  }

  private var tables: [Table] = []

  /// - Parameter movie: The movie box.
  init(in movie: ISOFileBox, _ file: FileHandle) throws {
    for track in try ISOFileBox.all("trak", in: movie.content, file) {
      var box = track
      for type in ["mdia", "minf", "stbl"] {
        guard let inner = try ISOFileBox.first(type, in: box.content, file) else {
          throw CocoaError(.fileReadCorruptFile)
        }
        box = inner
      }
      for (type, isLong) in [("stco", false), ("co64", true)] {
        for table in try ISOFileBox.all(type, in: box.content, file) {
          try tables.append(Self.read(table.content, isLong: isLong, file))
        }
      }
    }
  }

  private static func read(_ content: Range<UInt64>, isLong: Bool, _ file: FileHandle) throws -> Table {
    try file.seek(toOffset: content.lowerBound)
    let bytes = [UInt8](try file.read(upToCount: Int(content.upperBound - content.lowerBound)) ?? Data())
    let width = isLong ? 8 : 4
    // Version, flags and the number of entries.
    let count = bytes.count < 8 ? 0 : min(Int(bytes.word(at: 4)), (bytes.count - 8) / width)
    let offsets = (0..<count).map { index in
      let first = UInt64(bytes.word(at: 8 + index * width))
      return isLong ? first << 32 | UInt64(bytes.word(at: 12 + index * width)) : first
    }
    return Table(start: content.lowerBound + 8, isLong: isLong, offsets: offsets)
  }

  /// The entries of all tables after everything from an offset on has moved towards the end.
  /// - Returns: The bytes to write, and where; nil if an offset no longer fits.
  func moved(from place: UInt64, by distance: UInt64) -> [(start: UInt64, bytes: Data)]? {
    var result: [(start: UInt64, bytes: Data)] = []
    for table in tables where table.offsets.contains(where: { $0 >= place }) {
      let offsets = table.offsets.map { $0 >= place ? $0 + distance : $0 }
      if table.isLong {
        let bytes = offsets.flatMap { UInt32($0 >> 32).bigEndianBytes + UInt32(truncatingIfNeeded: $0).bigEndianBytes }
        result.append((table.start, Data(bytes)))
      } else {
        guard offsets.allSatisfy({ $0 <= UInt64(UInt32.max) }) else { return nil }
        result.append((table.start, Data(offsets.flatMap { UInt32($0).bigEndianBytes })))
      }
    }
    return result
  }
}
