internal import Frames

/// The application segments of a JPEG picture, up to its first scan.
///
/// Source: ITU-T T.81 (1992), B.1.1 for markers and segments.
struct JPEGHeader {
  /// The XMP packet. Source: XMP Specification Part 3 (2020), 1.1.3.
  private(set) var xmp: String?
  /// Binary metadata of a gain map, or only its version in the base picture. Source: ISO 21496-1 (2025), annex C.
  private(set) var gainMap: ArraySlice<UInt8>?
  /// Source: ICC.1:2022, annex B.4.
  private(set) var iccProfile: [UInt8]?
  /// The index of other pictures in the file; offsets in it count from its start. Source: CIPA DC-007 (2009), 5.2.
  private(set) var multiPictureIndex: ArraySlice<UInt8>?
  /// The first Exif segment: a TIFF structure. Source: CIPA DC-008 (Exif 2.32), 4.5.4, 4.7.2.
  private(set) var exif: ArraySlice<UInt8>?
  /// Source: CIPA DC-008 (Exif 2.32), 4.6.4.
  private(set) var orientation: Orientation?

  /// Maximum number of segments and fill bytes that are examined; profiles and extended XMP take some hundreds.
  private static let maxSegments = 4096

  /// - Parameter start: Offset of the picture in the file.
  /// - Returns: nil if there is no JPEG picture at this offset.
  init?(_ file: [UInt8], at start: Int) {
    guard file.dropFirst(start).starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
    var profile: [UInt8: ArraySlice<UInt8>] = [:]
    var position = start + 2
    for _ in 0..<Self.maxSegments {
      guard position + 4 <= file.count, file[position] == 0xFF else { break }
      let marker = file[position + 1]
      // Fill bytes may precede a marker; scans and the end come after everything relevant.
      if marker == 0xFF {
        position += 1
        continue
      }
      if marker == 0xDA || marker == 0xD9 { break }
      let length = Int(file[position + 2]) << 8 | Int(file[position + 3])
      guard length >= 2, position + 2 + length <= file.count else { break }
      let content = file[position + 4..<position + 2 + length]
      take(content, marker: marker, &profile)
      position += 2 + length
    }
    if !profile.isEmpty { iccProfile = profile.sorted { $0.key < $1.key }.flatMap(\.value) }
  }

  private mutating func take(_ content: ArraySlice<UInt8>, marker: UInt8, _ profile: inout [UInt8: ArraySlice<UInt8>]) {
    func rest(after name: String) -> ArraySlice<UInt8>? {
      let prefix = Array(name.utf8) + [0]
      return content.starts(with: prefix) ? content.dropFirst(prefix.count) : nil
    }
    switch marker {
    case 0xE1:
      // The name is padded with a second zero.
      if let segment = rest(after: "Exif")?.dropFirst() {
        exif = exif ?? segment
        orientation = orientation ?? Orientation(exifSegment: segment)
      }
      if let packet = rest(after: "http://ns.adobe.com/xap/1.0/") {
        xmp = xmp ?? String(decoding: packet, as: UTF8.self)
      }
    case 0xE2:
      if let index = rest(after: "MPF") { multiPictureIndex = multiPictureIndex ?? index }
      if let metadata = rest(after: "urn:iso:std:iso:ts:21496:-1") { gainMap = gainMap ?? metadata }
      // Chunk number and chunk count precede the bytes.
      if let chunk = rest(after: "ICC_PROFILE"), let number = chunk.first { profile[number] = chunk.dropFirst(2) }
    default: break
    }
  }
}
