internal import Files
internal import Foundation

/// Adds tags to a finished MP4 file that FFmpeg's muxer has no box for.
///
/// The muxer could write them as Apple metadata keys, but would then write all tags that way: players do not show a
/// title stored there, and the cover is lost. Instead they are appended to the iTunes tag list as free-form items. The
/// list is in the movie box: everything after it moves, and the chunk offsets in the movie box are updated.
///
/// Source: QuickTime File Format Specification (Apple, 2016), "Metadata"; the items of iTunes as mp4v2 documents them
/// (`----` with `mean`, `name` and `data`).
package enum ISOFreeTags {
  /// Why a file cannot take tags.
  private enum Failure: Error {
    case noList, tooLarge
  }

  /// The namespace of the names.
  private static let meaning = "com.apple.iTunes"
  /// The type code of UTF-8 values.
  private static let text: [UInt8] = [0, 0, 0, 1]
  private static let way = ["moov", "udta", "meta", "ilst"]

  /// - Returns: false if the file has no tag list at its end; it is unchanged.
  /// - Throws: An error of Foundation if the system fails; the file may be partly changed.
  package static func add(_ tags: [String: String], toFileAt path: String) throws -> Bool {
    if tags.isEmpty { return true }
    guard let file = FileHandle(systemName: path, forUpdating: true) else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
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
    guard boxes.allSatisfy({ $0.header.byteCount == 8 }), sizes.allSatisfy({ $0 <= UInt64(UInt32.max) }) else {
      throw Failure.tooLarge
    }
    let place = boxes[boxes.count - 1].end
    // Everything that can fail is checked before anything is changed.
    guard let offsets = try ISOChunkOffsets(in: boxes[0], file).moved(from: place, by: UInt64(items.count)) else {
      throw Failure.tooLarge
    }
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
