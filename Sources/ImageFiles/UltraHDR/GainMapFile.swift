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
  /// - Throws: As `init(path:)`.
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

  /// The gain map among the files that are concatenated at the end according to the packet.
  ///
  /// Source: Ultra HDR Image Format 1.0 (Android), "GContainer".
  private static func containedMap(_ packet: XMPPacket, fileByteCount: Int) -> Range<Int>? {
    guard let container = packet.prefix(of: "http://ns.google.com/photos/1.0/container/"),
      let item = packet.prefix(of: "http://ns.google.com/photos/1.0/container/item/")
    else { return nil }
    let items = packet.elements("\(container):Item")
    guard let place = items.firstIndex(where: { $0.attribute("\(item):Semantic") == "GainMap" }), place > 0 else {
      return nil
    }
    let lengths = items[place...].map { $0.attribute("\(item):Length").flatMap { Int($0) } ?? 0 }
    guard lengths.allSatisfy({ 0..<fileByteCount ~= $0 }), lengths[0] > 0 else { return nil }
    let start = fileByteCount - lengths.reduce(0, +)
    return start > 0 ? start..<start + lengths[0] : nil
  }
}
