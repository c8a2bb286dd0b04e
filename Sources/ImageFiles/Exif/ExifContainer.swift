internal import Bitstreams
internal import Files
internal import Foundation

/// A picture format that can contain Exif metadata, detected by the first bytes of a file.
enum ExifContainer {
  case jpeg, tiff, heif, jxl, png, webp

  /// - Returns: nil if it is not a regular file, or of another format.
  init?(path: String) {
    switch StillFormat(path: path) {
    case .jpeg: self = .jpeg
    case .tiff: self = .tiff
    case .heif: self = .heif
    case .jxl: self = .jxl
    case .exr: return nil
    case nil:
      guard FileStatus(path)?.kind == .regular, let file = FileHandle(systemName: path),
        let prefix = try? file.read(upToCount: 12)
      else { return nil }
      if prefix.starts(with: PNGChunk.signature) {
        self = .png
      } else if prefix.starts(with: Array("RIFF".utf8)), prefix.dropFirst(8).elementsEqual("WEBP".utf8) {
        self = .webp
      } else {
        return nil
      }
    }
  }

  /// The metadata: a TIFF structure.
  /// - Returns: nil if missing or compressed.
  func structure(in file: [UInt8]) -> ArraySlice<UInt8>? {
    switch self {
    case .jpeg: JPEGHeader(file, at: 0)?.exif
    case .tiff: file[...]
    case .heif: HEIFItems(file)?.exif.flatMap { Self.afterOffset($0[...]) }
    case .jxl: Self.boxed(file)
    case .png: Self.png(file)
    case .webp: Self.webp(file)
    }
  }

  /// The bytes at the stated offset, which counts from the end of its field.
  ///
  /// Source: ISO/IEC 23008-12 (HEIF), A.2.1; ISO/IEC 18181-2, 9.5.
  private static func afterOffset(_ content: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let offset = content.integer(at: 0, 4), offset <= content.count - 4 else { return nil }
    return content.dropFirst(4 + offset)
  }

  /// Source: ISO/IEC 18181-2, 9.5; compressed boxes ("brob") are not read.
  private static func boxed(_ file: [UInt8]) -> ArraySlice<UInt8>? {
    HEIFBoxes(file[...]).prefix(chunkLimit).first { $0.type == "Exif" }.flatMap { afterOffset($0.content) }
  }

  /// Maximum number of chunks or boxes that are examined.
  private static let chunkLimit = 1 << 17

  /// Source: PNG (Third Edition, W3C, 2025), 11.3.3.7, "eXIf".
  private static func png(_ file: [UInt8]) -> ArraySlice<UInt8>? {
    guard let chunks = PNGChunks(file), let place = chunks.prefix(chunkLimit).first(where: { $0.type == "eXIf" })
    else { return nil }
    return chunks.chunk(at: place)?.data[...]
  }

  /// Source: RFC 9649 (WebP), 2.3 for chunks, 2.7.1.5 for "EXIF".
  private static func webp(_ file: [UInt8]) -> ArraySlice<UInt8>? {
    var reader = ByteReader(file[...], isBigEndian: false)
    var position = 12
    for _ in 0..<chunkLimit {
      reader.seek(position)
      guard let type = file[...].text(at: position), reader.next(UInt32.self) != nil,
        let size = reader.next(UInt32.self), Int(size) <= file.count - position - 8
      else { return nil }
      if type == "EXIF" {
        let content = file[position + 8..<position + 8 + Int(size)]
        // Some writers add the prefix of JPEG's segment.
        let prefix = Array("Exif".utf8) + [0, 0]
        return content.starts(with: prefix) ? content.dropFirst(prefix.count) : content
      }
      // Chunks have even sizes.
      position += 8 + Int(size) + Int(size & 1)
    }
    return nil
  }
}
