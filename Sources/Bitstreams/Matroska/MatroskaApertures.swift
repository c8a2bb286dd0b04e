internal import Files
internal import Foundation
internal import Frames

/// The areas of pictures that the video tracks of a Matroska file show.
///
/// Source: RFC 9559, 5.1.4.1.28.8 to 5.1.4.1.28.15 (`PixelWidth` to `DisplayUnit`).
package struct MatroskaApertures {
  private enum Element {
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
  }

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

  /// - Parameter byteCount: Size of the file.
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
