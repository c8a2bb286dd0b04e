internal import Bitstreams
internal import Frames

/// A JPEG file with a gain map after its base picture.
struct GainMapFile {
  let base: Range<Int>
  let map: Range<Int>
  let metadata: GainMapMetadata
  let orientation: Orientation
  /// Profiles of the two pictures; nil: none.
  let baseProfile: [UInt8]?
  let mapProfile: [UInt8]?

  /// - Returns: nil if the file is not a JPEG, or has no usable gain map.
  /// - Throws: `ImageFileError.unreadable` if it cannot be read at all, `.unsupported` above 1 GiB.
  init?(path: String) throws(ImageFileError) {
    let bytes = try WholeFile.bytes(of: path)
    guard let header = JPEGHeader(bytes, at: 0) else { return nil }
    for (range, mapHeader) in Self.otherPictures(header, bytes) {
      let packet = mapHeader.xmp.map { XMPPacket($0) }
      let stated = mapHeader.gainMap.flatMap { GainMapMetadata(binary: $0) } ?? packet.flatMap { GainMapMetadata($0) }
      guard let metadata = stated ?? packet.flatMap({ GainMapMetadata(apple: $0, base: header) }) else { continue }
      base = 0..<range.lowerBound
      map = range
      self.metadata = metadata
      orientation = header.orientation ?? .identity
      baseProfile = header.iccProfile
      mapProfile = mapHeader.iccProfile
      return
    }
    return nil
  }

  /// The range of the first of several pictures in a JPEG file; nil if it has only one, or is not a JPEG.
  static func firstPicture(of path: String) throws(ImageFileError) -> Range<Int>? {
    guard StillFormat(path: path) == .jpeg else { return nil }
    let bytes = try WholeFile.bytes(of: path)
    guard let header = JPEGHeader(bytes, at: 0) else { return nil }
    return otherPictures(header, bytes).map(\.range.lowerBound).min().map { 0..<$0 }
  }

  private static func otherPictures(
    _ header: JPEGHeader, _ bytes: [UInt8]
  ) -> [(range: Range<Int>, header: JPEGHeader)] {
    let indexed = header.multiPictureIndex.map { MultiPictureIndex.pictures($0, fileByteCount: bytes.count) } ?? []
    let contained = header.xmp.flatMap { containedMap(XMPPacket($0), fileByteCount: bytes.count) }
    return (indexed + [contained].compactMap(\.self)).compactMap { range in
      JPEGHeader(bytes, at: range.lowerBound).map { (range, $0) }
    }
  }

  /// The gain map among the files that are concatenated at the end according to the packet. Source: Ultra HDR Image
  /// Format 1.0 (Android), "GContainer".
  private static func containedMap(_ packet: XMPPacket, fileByteCount: Int) -> Range<Int>? {
    guard let container = packet.prefix(of: "http://ns.google.com/photos/1.0/container/"),
      let item = packet.prefix(of: "http://ns.google.com/photos/1.0/container/item/")
    else { return nil }
    let items = packet.elements("\(container):Item")
    guard let place = items.firstIndex(where: { $0.attribute("\(item):Semantic") == "GainMap" }), place > 0
    else { return nil }
    let lengths = items[place...].map { $0.attribute("\(item):Length").flatMap { Int($0) } ?? 0 }
    guard lengths.allSatisfy({ 0..<fileByteCount ~= $0 }), lengths[0] > 0 else { return nil }
    let start = fileByteCount - lengths.reduce(0, +)
    return start > 0 ? start..<start + lengths[0] : nil
  }
}

/// The locations of further pictures in a file. Source: CIPA DC-007 (2009), 5.2: a TIFF directory with offsets relative
/// to its start.
enum MultiPictureIndex {
  private static let entriesTag: UInt16 = 0xB002
  private static let entryByteCount = 16
  /// Maximum number of entries that are read; phones write about ten.
  private static let maxPictures = 32

  /// - Parameter index: The segment after its name, a slice of the file.
  /// - Returns: Distinct ranges of the file, without the first picture and anything out of bounds.
  static func pictures(_ index: ArraySlice<UInt8>, fileByteCount: Int) -> [Range<Int>] {
    guard let directory = TIFFDirectory(index), var entry = directory.entry(entriesTag),
      let byteCount = entry.next(UInt32.self), let offset = entry.next(UInt32.self)
    else { return [] }
    var reader = directory.reader
    reader.seek(Int(offset))
    return entries(&reader, Int(byteCount) / entryByteCount, start: index.startIndex, fileByteCount)
  }

  private static func entries(
    _ reader: inout ByteReader, _ count: Int, start: Int, _ fileByteCount: Int
  ) -> [Range<Int>] {
    var result: [Range<Int>] = []
    for _ in 0..<min(count, maxPictures) {
      guard reader.next(UInt32.self) != nil, let size = reader.next(UInt32.self),
        let offset = reader.next(UInt32.self), reader.next(UInt32.self) != nil
      else { break }
      let first = start + Int(offset)
      guard offset > 0, size > 0, first + Int(size) <= fileByteCount else { continue }
      if !result.contains(where: { $0.lowerBound == first }) { result.append(first..<first + Int(size)) }
    }
    return result
  }
}

/// The application segments of a JPEG picture, up to its first scan. Source: ITU-T T.81 (1992), B.1.1 for markers and
/// segments.
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
