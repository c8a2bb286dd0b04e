internal import Files
internal import Foundation
package import Frames

/// Data in an MP4 or QuickTime file that FFmpeg 5.1 does not read: the ambient viewing environments and clean apertures
/// of its tracks, tracks of T.35 messages, and the number of samples stated in its tables.
///
/// A table need not have an entry for each sample, so a small file may state billions, and FFmpeg allocates 24 bytes
/// for each. Source: ISO/IEC 14496-12:2022, 8.7.3 (`stsz`) and 8.8.8 (`trun`).
package struct ISOTables {
  /// The tables state more samples than the file can hold at one byte each, with a factor of two for truncated files.
  package struct TooManySamples: Error {
    /// The stated number of samples.
    package let count: Int
  }

  private let file: FileHandle
  /// Size of the file in bytes.
  private let byteCount: Int
  private var boxes = 0
  private var sampleCount = 0
  private var tracks = 0
  /// By track, in file order; FFmpeg numbers them as streams.
  package private(set) var ambientViewing: [Int: AmbientViewing] = [:]
  /// By track.
  package private(set) var apertures: [Int: CleanAperture] = [:]
  /// Width and height of the latest track's presentation.
  private var shape: Size?
  /// Whether the latest track states the shape of its samples.
  private var hasSampleShape = false
  /// Content of the latest track's `clap`.
  private var clap: [UInt8]?
  /// Tracks of timed metadata whose samples are T.35 messages, such as SMPTE ST 2094-50.
  package private(set) var t35Tracks: [Int] = []

  private static let first: Set = ["ftyp", "styp", "moov", "moof", "mdat", "free", "skip", "wide", "sidx"]
  private static let containers: Set = ["moov", "trak", "mdia", "minf", "stbl", "moof", "traf"]
  /// Limits on the number and nesting of boxes that are examined.
  private static let boxLimit = 100_000
  private static let depthLimit = 8
  /// Number of samples that any file may state.
  private static let harmless = 1 << 20

  /// Bytes before the width and height in a visual sample entry.
  private static let visualSizeOffset = 24

  /// - Returns: nil for another kind of file, or one that cannot be opened.
  package init?(path: String, byteCount: Int) throws(TooManySamples) {
    guard let file = FileHandle(systemName: path) else { return nil }
    (self.file, self.byteCount) = (file, byteCount)
    guard let first = header(at: 0), Self.first.contains(first.type) else { return nil }
    self.count(in: 0..<byteCount, depth: 0)
    guard (sampleCount - Self.harmless) / 2 <= byteCount else { throw TooManySamples(count: sampleCount) }
  }

  private mutating func count(in range: Range<Int>, depth: Int) {
    var place = range.lowerBound
    while place + 8 <= range.upperBound, boxes < Self.boxLimit {
      boxes += 1
      guard let header = header(at: place) else { return }
      let start = place + header.byteCount
      // Truncated boxes are read as far as possible.
      let end = min(
        place.addingReportingOverflow(header.size ?? range.upperBound - place).partialValue, range.upperBound)
      guard end >= start, header.size.map({ $0 >= header.byteCount }) ?? true else { return }
      take(header.type, start..<end, depth: depth)
      place = end
    }
  }

  private mutating func take(_ type: String, _ content: Range<Int>, depth: Int) {
    switch type {
    case let type where Self.containers.contains(type):
      if type == "trak" {
        tracks += 1
        (shape, hasSampleShape, clap) = (nil, false, nil)
      }
      if depth < Self.depthLimit { count(in: content, depth: depth + 1) }
    // The boxes of the first sample entry; none of them is a container here.
    case "stsd":
      if holdsT35(content) { t35Tracks.append(tracks - 1) }
      let entry = content.lowerBound + 8 + ISOBoxHeader.shortByteCount
      let boxes = entry + ISOBoxes.visualEntryLength
      if boxes < content.upperBound { count(in: boxes..<content.upperBound, depth: Self.depthLimit) }
      apertures[tracks - 1] = bytes(at: entry + Self.visualSizeOffset, 4, in: content).flatMap(aperture)
    // Same content as the SEI message.
    case "amve":
      let payload = bytes(at: content.lowerBound, AmbientViewing.seiPayloadLength, in: content)
      ambientViewing[tracks - 1] = payload.flatMap { try? AmbientViewing(seiPayload: $0) }
    // Its width and height come last, with 16 fractional bits each.
    case "tkhd":
      let size = content.count >= 8 ? bytes(at: content.upperBound - 8, 8) : nil
      shape = size.map { Size(width: Int($0.word(at: 0) >> 16), height: Int($0.word(at: 4) >> 16)) }
    case "pasp": hasSampleShape = true
    case "clap": clap = bytes(at: content.lowerBound, 32, in: content)
    // Version and flags come first; in `stsz` also the common sample size.
    case "stsz", "stz2": add(bytes(at: content.lowerBound + 8, 4, in: content))
    case "trun": add(bytes(at: content.lowerBound + 4, 4, in: content))
    default: break
    }
  }

  /// The aperture of the latest track: `clap` states its width, height, and the offset of its centre to the right of
  /// and below the picture's, as fractions. Source: ISO/IEC 14496-12:2022, 12.1.4.
  /// - Parameter sides: The picture's width and height, 16 bits each.
  private func aperture(_ sides: [UInt8]) -> CleanAperture? {
    let size = Size(width: Int(sides.word(at: 0) >> 16), height: Int(sides.word(at: 0) & 0xFFFF))
    guard let clap else { return nil }
    let values = stride(from: 0, to: 32, by: 8).map {
      Double(Int32(bitPattern: clap.word(at: $0))) / Double(Int32(bitPattern: clap.word(at: $0 + 4)))
    }
    let limit = Double(UInt16.max)
    guard values.allSatisfy({ abs($0) <= limit }) else { return nil }
    // A partial sample at an edge is shown whole.
    func range(_ count: Int, _ extent: Double, _ offset: Double) -> Range<Int> {
      let first = (Double(count) - extent) / 2 + offset
      let last = max((first + extent).rounded(.up), first)
      return max(Int(first), 0)..<max(min(Int(last), count), Int(first), 0)
    }
    let (columns, rows) = (range(size.width, values[0], values[2]), range(size.height, values[1], values[3]))
    let area = PictureArea(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
    // FFmpeg derives the shape of samples from a presentation of another size.
    return CleanAperture(area, of: size, shape: hasSampleShape || shape == size ? nil : shape)
  }

  /// Maximum bytes of a timed metadata description that are examined.
  private static let descriptionLimit = 4096

  /// Whether the first sample entry holds T.35 messages: "it35" (ISO/IEC 14496-12), or "mebx" with such a key.
  private func holdsT35(_ description: Range<Int>) -> Bool {
    let content = description.prefix(Self.descriptionLimit)
    guard let bytes = bytes(at: content.lowerBound, content.count), bytes.count >= 16
    else { return false }
    let type = String(decoding: bytes[12..<16], as: UTF8.self)
    return type == "it35" || type == "mebx" && Data(bytes).range(of: Data("it35".utf8)) != nil
  }

  private mutating func add(_ number: [UInt8]?) {
    sampleCount += number.map { Int($0.word(at: 0)) } ?? 0
  }

  private func header(at place: Int) -> ISOBoxHeader? {
    ISOBoxHeader(file.bytes(at: place, ISOBoxHeader.maxByteCount))
  }

  /// nil if the bytes are not in the range, or the file ends earlier.
  private func bytes(at place: Int, _ count: Int, in range: Range<Int>? = nil) -> [UInt8]? {
    if let range, place + count > range.upperBound { return nil }
    let bytes = file.bytes(at: place, count)
    return bytes.count == count ? bytes : nil
  }
}
