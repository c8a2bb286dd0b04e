internal import Files
internal import Foundation

/// Adds tags to a finished MP4 file that FFmpeg's muxer has no box for.
///
/// The muxer could write them as Apple metadata keys, but would then write all tags that way: players do not show a
/// title stored there, and the cover is lost. Instead they are appended to the iTunes tag list as free-form items. The
/// list is in the movie box: everything after it moves, and the chunk offsets in the movie box are updated. Source:
/// QuickTime File Format Specification (Apple, 2016), "Metadata"; the items of iTunes as mp4v2 documents them (`----`
/// with `mean`, `name` and `data`).
package enum ISOFreeTags {
  /// Why a file cannot take tags.
  private enum Failure: Error { case noList, tooLarge }

  /// The namespace of the names.
  private static let meaning = "com.apple.iTunes"
  /// The type code of UTF-8 values.
  private static let text: [UInt8] = [0, 0, 0, 1]
  private static let way = ["moov", "udta", "meta", "ilst"]

  /// - Returns: false if the file has no tag list at its end; it is unchanged.
  /// - Throws: An error of Foundation if the system fails; the file may be partly changed.
  package static func add(_ tags: [String: String], toFileAt path: String) throws -> Bool {
    if tags.isEmpty { return true }
    guard let file = FileHandle(systemName: path, forUpdating: true)
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    do {
      try insert(tags.sorted { $0.key < $1.key }.flatMap(item), file)
      try file.close()
      return true
    } catch is Failure {
      return false
    }
  }

  private static func insert(_ items: [UInt8], _ file: FileHandle) throws {
    let length = try file.seekToEnd()
    var boxes: [ISOFileBox] = []
    var range = UInt64(0)..<length
    for type in way {
      guard let box = try ISOFileBox.first(type, in: range, file) else { throw Failure.noList }
      boxes.append(box)
      // The metadata box has a version and flags before its content.
      range = box.content.lowerBound + (type == "meta" ? 4 : 0)..<box.end
    }
    let sizes = boxes.map { $0.end - $0.start + UInt64(items.count) }
    guard boxes.allSatisfy({ $0.header.byteCount == 8 }), sizes.allSatisfy({ $0 <= UInt64(UInt32.max) })
    else { throw Failure.tooLarge }
    let place = boxes[boxes.count - 1].end
    // Everything that can fail is checked before anything is changed.
    guard let offsets = try ISOChunkOffsets(in: boxes[0], file).moved(from: place, by: UInt64(items.count))
    else { throw Failure.tooLarge }
    for (start, bytes) in offsets {
      try file.seek(toOffset: start)
      try file.write(contentsOf: bytes)
    }
    try shift(from: place, to: length, by: UInt64(items.count), file)
    try file.seek(toOffset: place)
    try file.write(contentsOf: Data(items))
    for (box, size) in zip(boxes, sizes) {
      try file.seek(toOffset: box.start)
      try file.write(contentsOf: Data(UInt32(size).bigEndianBytes))
    }
  }

  /// Bytes that are moved at once.
  private static let blockSize: UInt64 = 4 << 20

  /// Moves the end of the file, last block first.
  private static func shift(from place: UInt64, to end: UInt64, by distance: UInt64, _ file: FileHandle) throws {
    var end = end
    while end > place {
      let start = max(place, end - min(end, blockSize))
      try file.seek(toOffset: start)
      let block = try file.read(upToCount: Int(end - start)) ?? Data()
      try file.seek(toOffset: start + distance)
      try file.write(contentsOf: block)
      end = start
    }
  }

  private static func item(_ key: String, _ value: String) -> [UInt8] {
    let content = [
      ("mean", [0, 0, 0, 0] + meaning.utf8), ("name", [0, 0, 0, 0] + key.utf8),
      ("data", text + [0, 0, 0, 0] + value.utf8),
    ]
    return ISOBoxHeader.box("----", content.flatMap(ISOBoxHeader.box))
  }
}

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
    guard let header = ISOBoxHeader([UInt8](try file.read(upToCount: ISOBoxHeader.maxByteCount) ?? Data()))
    else { return nil }
    let size = header.size.map { UInt64($0) } ?? range.upperBound - offset
    guard size >= UInt64(header.byteCount), size <= range.upperBound - offset else { return nil }
    (start, end, self.header) = (offset, offset + size, header)
  }
}

/// The offsets of all tracks' chunks in the file. Source: ISO/IEC 14496-12:2022, 8.7.5 (stco, co64).
struct ISOChunkOffsets {
  private struct Table {
    /// Offset of the first entry in the file.
    let start: UInt64
    let isLong: Bool
    var offsets: [UInt64]
  }

  private var tables: [Table] = []

  init(in movie: ISOFileBox, _ file: FileHandle) throws {
    for track in try ISOFileBox.all("trak", in: movie.content, file) {
      var box = track
      for type in ["mdia", "minf", "stbl"] {
        guard let inner = try ISOFileBox.first(type, in: box.content, file)
        else { throw CocoaError(.fileReadCorruptFile) }
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
        result.append((table.start, Data(offsets.flatMap(\.bigEndianBytes))))
      } else {
        guard offsets.allSatisfy({ $0 <= UInt64(UInt32.max) }) else { return nil }
        result.append((table.start, Data(offsets.flatMap { UInt32($0).bigEndianBytes })))
      }
    }
    return result
  }
}
