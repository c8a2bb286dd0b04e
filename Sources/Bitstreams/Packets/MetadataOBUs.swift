package import Frames

/// Metadata OBUs in AV1 packets.
enum MetadataOBUs {
  /// Source: AV1 Bitstream & Decoding Process Specification, 6.2.2 and 6.7.1.
  private static let metadata: UInt8 = 5
  private static let frameHeader: UInt8 = 3
  private static let frame: UInt8 = 6
  private static let contentLight = 1
  private static let masteringDisplay = 2
  private static let t35: UInt8 = 4
  /// Longer units are skipped.
  private static let longestUnit = 1 << 16

  /// The messages of a temporal unit, without trailing bits. They may follow frames that are not shown.
  static func messages(in packet: Span<UInt8>) -> [PacketMessage] {
    var result: [PacketMessage] = []
    var position = 0
    while let unit = next(in: packet, from: &position) {
      var start = unit.content.lowerBound
      guard unit.type == metadata, unit.content.count <= longestUnit, let type = LEB128.read(packet, &start),
        start < unit.content.upperBound
      else { continue }
      var bytes = (start..<unit.content.upperBound).map { packet[$0] }
      // A 1 bit, then zeros to a whole byte; more zeros may follow. Source: 5.3.4.
      while bytes.last == 0 { bytes.removeLast() }
      if bytes.last == 0x80 { bytes.removeLast() }
      switch type {
      case contentLight: if let light = try? ContentLight(seiPayload: bytes) { result.append(.contentLight(light)) }
      case masteringDisplay:
        if let display = MasteringDisplay(av1Payload: bytes) { result.append(.masteringDisplay(display)) }
      case Int(t35): result.append(.registered(bytes))
      default: break
      }
    }
    return result
  }

  /// A metadata OBU with a T.35 message, from its country code on. Source: AV1 Bitstream & Decoding Process
  /// Specification, 5.3.1, 5.8.1, 5.8.2.
  static func unit(_ message: [UInt8]) -> [UInt8] {
    let content = [t35] + message + [0x80]
    return [metadata << 3 | 0b10] + LEB128.bytes(content.count) + content
  }

  /// The position for metadata of a temporal unit's picture: before the header of the shown frame, after frames that
  /// are not shown. Source: HDR10+ AV1 Metadata Handling Specification (2022), 2.1; for the flags of a frame header,
  /// AV1 Bitstream & Decoding Process Specification, 5.9.2.
  /// - Returns: nil if the packet has no such frame, or is damaged.
  static func placeOfPicture(in packet: Span<UInt8>) -> Int? {
    let (showsExisting, shows): (UInt8, UInt8) = (0x80, 0x10)
    var position = 0
    while let unit = next(in: packet, from: &position) {
      guard [frameHeader, frame].contains(unit.type), !unit.content.isEmpty else { continue }
      if packet[unit.content.lowerBound] & (showsExisting | shows) != 0 { return unit.start }
    }
    return nil
  }

  /// The next OBU, with the position of its header; nil at the end, or where sizes are inconsistent.
  static func next(
    in packet: Span<UInt8>, from position: inout Int
  ) -> (type: UInt8, start: Int, content: Range<Int>)? {
    let start = position
    guard start < packet.count else { return nil }
    let header = packet[start]
    // One more byte with the extension flag. Source: 5.3.2.
    position += header & 4 == 0 ? 1 : 2
    var size = packet.count - position
    if header & 2 != 0 {
      guard let coded = LEB128.read(packet, &position) else { return nil }
      size = coded
    }
    guard size >= 0, size <= packet.count - position else { return nil }
    let content = position..<position + size
    position = content.upperBound
    return (header >> 3 & 0xF, start, content)
  }
}

/// Little-endian base-128 integers, as in AV1. Source: AV1 Bitstream and Decoding Process Specification (2019), 4.10.5.
enum LEB128 {
  /// A non-negative number, in as few bytes as possible.
  static func bytes(_ number: Int) -> [UInt8] {
    var (rest, bytes) = (number, [UInt8]())
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }

  /// - Parameter position: Position of the first byte; after the call, of the byte after the last one.
  /// - Returns: nil if the number is unterminated.
  static func read(_ bytes: Span<UInt8>, _ position: inout Int) -> Int? {
    var value = 0
    for group in 0..<8 {
      guard position < bytes.count else { return nil }
      let byte = bytes[position]
      position += 1
      value |= Int(byte & 0x7F) << (7 * group)
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }
}

/// Metadata OBUs for AV1 encoders that do not write them. Source: AV1 Bitstream & Decoding Process Specification
/// (2019), 5.3.2 (OBU header), 5.8.3 and 5.8.4 (HDR metadata), 7.5 (order of OBUs: metadata lies between the sequence
/// header and the frames).
package struct AV1Metadata: Sendable {
  private enum Kind {
    static let sequenceHeader: UInt8 = 1
    static let metadata: UInt8 = 5
  }
  private enum MetadataType {
    static let contentLight: UInt8 = 1
    static let masteringDisplay: UInt8 = 2
  }

  /// The OBUs to insert.
  package let units: [UInt8]

  /// - Returns: nil without metadata.
  package init?(_ metadata: HDRMetadata) {
    var units: [UInt8] = []
    if let light = metadata.contentLight {
      units += Self.unit(MetadataType.contentLight, light.seiPayload)
    }
    if let display = metadata.masteringDisplay {
      units += Self.unit(MetadataType.masteringDisplay, display.av1Payload)
    }
    if units.isEmpty { return nil }
    self.units = units
  }

  private static func unit(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
    // One byte of header with a size, the size, the type, the payload, and the trailing bit.
    let content = [type] + payload + [0x80]
    return [Kind.metadata << 3 | 0b10, UInt8(content.count)] + content
  }

  /// The position after the sequence header of a temporal unit; nil if it has none, or is damaged.
  package static func endOfSequenceHeader(in bytes: Span<UInt8>) -> Int? {
    var position = 0
    while let unit = MetadataOBUs.next(in: bytes, from: &position) {
      // Without a size field an OBU extends to the end of the packet.
      if bytes[unit.start] & 0b10 == 0 { return nil }
      if unit.type == Kind.sequenceHeader { return position }
    }
    return nil
  }
}

extension MasteringDisplay {
  /// `metadata_hdr_mdcv`: chromaticities of red, green, blue and white in units of 2^-16, maximum luminance in units of
  /// 2^-8 and minimum luminance in units of 2^-14 cd/m², all big-endian.
  fileprivate var av1Payload: [UInt8] {
    let colors = [red, green, blue, white].flatMap { [$0.x, $0.y] }.flatMap { value in
      UInt16(min((Double(value) / Self.chromaticityUnits * 0x1p16).rounded(), 65_535)).bigEndianBytes
    }
    return colors + UInt32(min((maxNits * 0x1p8).rounded(), 0x1p32 - 1)).bigEndianBytes
      + UInt32(min((minNits * 0x1p14).rounded(), 0x1p32 - 1)).bigEndianBytes
  }

  /// The display that `av1Payload` states, in the units of the SEI message.
  init?(av1Payload payload: [UInt8]) {
    guard payload.count == 24 else { return nil }
    func point(_ index: Int) -> Chromaticity {
      func units(_ place: Int) -> UInt16 {
        UInt16((Double(payload.halfWord(at: place)) / 0x1p16 * Self.chromaticityUnits).rounded())
      }
      return Chromaticity(x: units(4 * index), y: units(4 * index + 2))
    }
    func luminance(_ place: Int, _ unit: Double) -> UInt32 {
      UInt32(min((Double(payload.word(at: place)) / unit * Self.luminanceUnits).rounded(), 0x1p32 - 1))
    }
    self.init(
      red: point(0), green: point(1), blue: point(2), white: point(3), maxLuminance: luminance(16, 0x1p8),
      minLuminance: luminance(20, 0x1p14))
  }
}
