internal import Files
internal import Foundation
internal import Frames

/// Element identifiers with their length markers.
private enum Element {
  static let header: UInt64 = 0x1A45_DFA3
  static let segment: UInt64 = 0x1853_8067
  static let tracks: UInt64 = 0x1654_AE6B
  static let entry: UInt64 = 0xAE
  static let type: UInt64 = 0x83
  static let video: UInt64 = 0xE0
  static let pixelWidth: UInt64 = 0xB0
  static let pixelHeight: UInt64 = 0xBA
  static let cropBottom: UInt64 = 0x54AA
  static let cropTop: UInt64 = 0x54BB
  static let cropLeft: UInt64 = 0x54CC
  static let cropRight: UInt64 = 0x54DD
  static let displayWidth: UInt64 = 0x54B0
  static let displayHeight: UInt64 = 0x54BA
  static let displayUnit: UInt64 = 0x54B2
  static let numbers: Set = [
    pixelWidth, pixelHeight, cropBottom, cropTop, cropLeft, cropRight, displayWidth, displayHeight, displayUnit,
  ]
  static let projection: UInt64 = 0x7670
  static let projectionType: UInt64 = 0x7671
  static let projectionPrivate: UInt64 = 0x7672
  static let void: UInt8 = 0xEC
}

/// An element of a Matroska file. Source: RFC 8794, 4 (variable-size integers) and 5 to 6 (identifiers and sizes).
struct EBMLElement {
  /// Bytes of the longest identifier and size that Matroska uses.
  private static let maxHeaderByteCount = 12

  /// Identifier, including its length marker.
  let id: UInt64
  /// Ends with the container if the size is unknown or larger.
  let content: Range<Int>
  /// Size of the content in bytes as stated; nil: unknown, as in streams.
  let size: Int?

  /// - Parameters:
  ///   - bytes: Contain at least the element's identifier and size.
  ///   - end: End of its container, counted like `offset`.
  /// - Returns: nil at the end, or if there is no valid element.
  init?(_ bytes: [UInt8], at offset: Int, end: Int = .max) {
    var position = offset
    let limit = min(end, bytes.count)
    guard let id = Self.number(bytes, &position, end: limit, keepsMarker: true),
      case let start = position, let size = Self.number(bytes, &position, end: limit, keepsMarker: false)
    else { return nil }
    let unknown = UInt64(1) << (7 * UInt64(position - start)) - 1
    self.id = id
    self.size = size == unknown ? nil : Int(clamping: size)
    content = position..<(self.size.map { $0 < end - position ? position + $0 : end } ?? end)
  }

  private init(_ id: UInt64, _ content: Range<Int>, _ size: Int?) {
    (self.id, self.content, self.size) = (id, content, size)
  }

  /// The element at an offset in a file.
  init?(in file: FileHandle, at place: Int, end: Int) {
    let head = file.bytes(at: place, Self.maxHeaderByteCount)
    guard let own = EBMLElement(head, at: 0, end: end - place) else { return nil }
    self.init(own.id, own.content.lowerBound + place..<own.content.upperBound + place, own.size)
  }

  /// Whether a new file begins with this element.
  var isHeader: Bool { id == Element.header }

  /// The element that contains everything but the header; nil for another kind of file.
  static func segment(of file: FileHandle, byteCount: Int) -> EBMLElement? {
    guard let header = EBMLElement(in: file, at: 0, end: byteCount), header.isHeader,
      let segment = EBMLElement(in: file, at: header.content.upperBound, end: byteCount), segment.id == Element.segment
    else { return nil }
    return segment
  }

  /// An unsigned integer of up to eight bytes; nil for other content.
  func unsigned(in bytes: [UInt8]) -> Int? {
    guard content.count <= 8, content.upperBound <= bytes.count else { return nil }
    return Int(exactly: content.reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[$1]) })
  }

  private static func number(_ bytes: [UInt8], _ position: inout Int, end: Int, keepsMarker: Bool) -> UInt64? {
    guard position < end, bytes[position] != 0 else { return nil }
    let length = bytes[position].leadingZeroBitCount + 1
    guard position + length <= end else { return nil }
    var value = UInt64(bytes[position])
    if !keepsMarker { value &= (1 << (8 - UInt64(length))) - 1 }
    for index in 1..<max(length, 1) { value = value << 8 | UInt64(bytes[position + index]) }
    position += length
    return value
  }
}

/// The areas of pictures that the video tracks of a Matroska file show. Source: RFC 9559, 5.1.4.1.28.8 to 5.1.4.1.28.15
/// (`PixelWidth` to `DisplayUnit`).
package struct MatroskaApertures {
  /// Maximum number of elements that are skipped before the tracks, and of track bytes that are read.
  private static let elementLimit = 10_000
  private static let byteLimit = 1 << 20
  /// Largest width and height that a file may state.
  private static let extentLimit = 1 << 20
  /// Value of `TrackType`.
  private static let videoType = 1
  /// Value of `DisplayUnit` from which sizes have no meaning.
  private static let unknownUnit = 4

  /// By video track, in the order of the file.
  package private(set) var apertures: [CleanAperture?] = []

  /// - Returns: nil for another kind of file, or one that cannot be opened.
  package init?(path: String, byteCount: Int) {
    guard let file = FileHandle(systemName: path), let segment = EBMLElement.segment(of: file, byteCount: byteCount)
    else { return nil }
    var place = segment.content.lowerBound
    for _ in 0..<Self.elementLimit {
      guard let element = EBMLElement(in: file, at: place, end: segment.content.upperBound) else { return }
      place = element.content.upperBound
      guard element.id == Element.tracks else { continue }
      let bytes = file.bytes(at: element.content.lowerBound, min(element.content.count, Self.byteLimit))
      for entry in Self.elements(bytes, 0..<bytes.count) where entry.id == Element.entry {
        let parts = Self.elements(bytes, entry.content)
        guard let type = parts.first(where: { $0.id == Element.type }), type.unsigned(in: bytes) == Self.videoType
        else {
          continue
        }
        let video = parts.first { $0.id == Element.video }
        apertures.append(video.flatMap { Self.aperture(bytes, $0.content) })
      }
      return
    }
  }

  private static func elements(_ bytes: [UInt8], _ range: Range<Int>) -> [EBMLElement] {
    var (elements, offset): ([EBMLElement], Int) = ([], range.lowerBound)
    while let element = EBMLElement(bytes, at: offset, end: range.upperBound) {
      elements.append(element)
      offset = element.content.upperBound
    }
    return elements
  }

  private static func aperture(_ bytes: [UInt8], _ range: Range<Int>) -> CleanAperture? {
    var values: [UInt64: Int] = [:]
    for element in elements(bytes, range) where Element.numbers.contains(element.id) {
      values[element.id] = element.unsigned(in: bytes)
    }
    guard values.values.allSatisfy({ $0 <= extentLimit }), let width = values[Element.pixelWidth],
      let height = values[Element.pixelHeight]
    else { return nil }
    let (left, top) = (values[Element.cropLeft] ?? 0, values[Element.cropTop] ?? 0)
    let area = PictureArea(
      x: left, y: top, width: width - left - (values[Element.cropRight] ?? 0),
      height: height - top - (values[Element.cropBottom] ?? 0))
    let shape = Size(
      width: values[Element.displayWidth] ?? area.width, height: values[Element.displayHeight] ?? area.height)
    let isKnown = values[Element.displayUnit] ?? 0 < unknownUnit && shape.width > 0 && shape.height > 0
    return CleanAperture(area, of: Size(width: width, height: height), shape: isKnown ? shape : nil)
  }
}

/// The rotation of a picture in a Matroska file, which FFmpeg's muxer writes only from 6.1 on.
///
/// Older versions only write the roll of a spherical projection. The stream is therefore declared spherical, and the
/// finished file is patched to a rectangular projection, whose roll is the rotation. Source: RFC 9559, 5.1.4.1.28.41
/// (Projection) and its children; 11.3 (Void).
package enum MatroskaRotation {
  /// Bytes at the start of a file that contain its tracks.
  private static let reach = 1 << 20

  /// Changes the spherical projection of the finished file at `path` to a rectangular one.
  /// - Throws: An error of Foundation if the file cannot be changed.
  package static func flatten(fileAt path: String) throws {
    guard let file = FileHandle(systemName: path, forUpdating: true) else { throw POSIXError(.ENOENT) }
    defer { try? file.close() }
    let head = [UInt8](try file.read(upToCount: reach) ?? Data())
    for (offset, bytes) in changes(in: head) {
      try file.seek(toOffset: UInt64(offset))
      try file.write(contentsOf: Data(bytes))
    }
  }

  /// The bytes to write: projection type 0, rectangular, and a void element in place of the bounds of the sphere.
  private static func changes(in head: [UInt8]) -> [(offset: Int, bytes: [UInt8])] {
    var result: [(Int, [UInt8])] = []
    func visit(_ range: Range<Int>) {
      var offset = range.lowerBound
      while let element = EBMLElement(head, at: offset, end: range.upperBound) {
        switch element.id {
        case Element.segment, Element.tracks, Element.entry, Element.video, Element.projection:
          visit(element.content)
        case Element.projectionType where element.content.count == 1:
          result.append((element.content.lowerBound, [0]))
        case Element.projectionPrivate where element.content.count < 100:
          // Two bytes of header, the rest empty, with the size of the element that it replaces.
          let count = element.content.upperBound - offset - 2
          result.append((offset, [Element.void, 0x80 | UInt8(count)] + [UInt8](repeating: 0, count: count)))
        default: break
        }
        offset = element.content.upperBound
      }
    }
    visit(0..<head.count)
    return result
  }
}
