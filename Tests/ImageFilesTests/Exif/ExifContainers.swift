import Bitstreams
import Foundation

/// Files that hold Exif metadata and no more of a picture than is needed to find them.
enum ExifContainers: CaseIterable, Sendable {
  case jpeg, tiff, png, heif, jxl, webp, webpWithPrefix

  func file(_ exif: [UInt8]) -> [UInt8] {
    switch self {
    case .jpeg:
      return [0xFF, 0xD8] + GainMapFileBuilder.segment(0xE0, "JFIF", [1, 1, 0, 0, 1, 0, 1, 0, 0])
        + GainMapFileBuilder.segment(0xE1, "Exif", [0] + exif) + [0xFF, 0xDA, 0, 2, 0xFF, 0xD9]
    case .tiff: return exif
    case .png:
      let header = PNGChunk("IHDR", [0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])
      return PNGChunk.signature + header.bytes + PNGChunk("IDAT", [0]).bytes + PNGChunk("eXIf", exif).bytes
        + PNGChunk("IEND", []).bytes
    case .heif: return Self.heif(exif)
    case .jxl:
      // The file type, the metadata after an offset of two, and a codestream.
      return Self.box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + Self.box("ftyp", Array("jxl ".utf8) + [0, 0, 0, 0])
        + Self.box("Exif", [0, 0, 0, 2, 0, 0] + exif) + Self.box("jxlc", [0xFF, 0x0A])
    case .webp: return Self.webp(exif)
    case .webpWithPrefix: return Self.webp(Array("Exif".utf8) + [0, 0] + exif)
    }
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    big(UInt32(content.count + 8)) + Array(type.utf8) + content
  }

  private static func big<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    (0..<Value.bitWidth / 8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// Chunks of even sizes; the one before has an odd one.
  private static func webp(_ exif: [UInt8]) -> [UInt8] {
    func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
      Array(type.utf8) + big(UInt32(content.count)).reversed() + content + (content.count & 1 == 1 ? [0] : [])
    }
    let body = Array("WEBP".utf8) + chunk("VP8 ", [1, 2, 3]) + chunk("EXIF", exif)
    return Array("RIFF".utf8) + big(UInt32(body.count)).reversed() + body
  }

  /// Two Exif items: that of the thumbnail says nothing.
  /// Source: ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 6.8.
  private static func heif(_ exif: [UInt8]) -> [UInt8] {
    let type = box("ftyp", Array("avif".utf8) + [0, 0, 0, 0] + Array("mif1".utf8))
    let contents: [(item: UInt16, type: String, data: [UInt8])] = [
      (1, "av01", [0]), (2, "Exif", [0, 0, 0, 0] + TIFFStructure([:]).bytes), (3, "Exif", [0, 0, 0, 0] + exif),
    ]
    let entries = contents.flatMap { box("infe", [2, 0, 0, 0] + big($0.item) + [0, 0] + Array($0.type.utf8) + [0]) }
    let references =
      box("cdsc", big(UInt16(2)) + big(UInt16(1)) + big(UInt16(9)))
      + box("cdsc", big(UInt16(3)) + big(UInt16(1)) + big(UInt16(1)))
    func meta(_ start: Int) -> [UInt8] {
      var place = start
      let locations = contents.flatMap { content -> [UInt8] in
        defer { place += content.data.count }
        return big(content.item) + [0, 0, 0, 1] + big(UInt32(place)) + big(UInt32(content.data.count))
      }
      return box(
        "meta",
        [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0, 0, 1])
          + box("iinf", [0, 0, 0, 0] + big(UInt16(contents.count)) + entries)
          + box("iref", [0, 0, 0, 0] + references) + box("iprp", box("ipco", []))
          + box("iloc", [0, 0, 0, 0, 0x44, 0] + big(UInt16(contents.count)) + locations))
    }
    let header = type.count + meta(0).count + 8
    return type + meta(header) + box("mdat", contents.flatMap(\.data))
  }
}
