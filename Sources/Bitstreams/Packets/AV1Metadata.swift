package import Frames

/// Metadata OBUs for AV1 encoders that do not write them.
///
/// Source: AV1 Bitstream & Decoding Process Specification (2019), 5.3.2 (OBU header), 5.8.3 and 5.8.4 (HDR metadata),
/// 7.5 (order of OBUs: metadata lies between the sequence header and the frames).
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
    var offset = 0
    while offset < bytes.count {
      let header = bytes[offset]
      // Without a size field an OBU extends to the end of the packet.
      guard header & 0b10 != 0 else { return nil }
      var position = offset + (header & 0b100 != 0 ? 2 : 1)
      guard let size = LEB128.read(bytes, &position) else { return nil }
      guard size <= bytes.count - position else { return nil }
      if header >> 3 & 0xF == Kind.sequenceHeader { return position + size }
      offset = position + size
    }
    return nil
  }
}

extension MasteringDisplay {
  /// `metadata_hdr_mdcv`: chromaticities of red, green, blue and white in units of 2^-16, maximum luminance in units of
  /// 2^-8 and minimum luminance in units of 2^-14 cd/m², all big-endian.
  fileprivate var av1Payload: [UInt8] {
    func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }
    let colors = [red, green, blue, white].flatMap { [$0.x, $0.y] }.flatMap { value in
      bytes(UInt32(min((Double(value) / Self.chromaticityUnits * 0x1p16).rounded(), 65_535)), 2)
    }
    return colors + bytes(UInt32(min((maxNits * 0x1p8).rounded(), 0x1p32 - 1)), 4)
      + bytes(UInt32(min((minNits * 0x1p14).rounded(), 0x1p32 - 1)), 4)
  }

  /// The display that `av1Payload` states, in the units of the SEI message.
  init?(av1Payload payload: [UInt8]) {
    guard payload.count == 24 else { return nil }
    func value(_ place: Int, _ count: Int) -> Double {
      Double(payload[place..<place + count].reduce(0 as UInt32) { $0 << 8 | UInt32($1) })
    }
    func point(_ index: Int) -> Chromaticity {
      func units(_ place: Int) -> UInt16 { UInt16((value(place, 2) / 0x1p16 * Self.chromaticityUnits).rounded()) }
      return Chromaticity(x: units(4 * index), y: units(4 * index + 2))
    }
    func luminance(_ place: Int, _ unit: Double) -> UInt32 {
      UInt32(min((value(place, 4) / unit * Self.luminanceUnits).rounded(), 0x1p32 - 1))
    }
    self.init(
      red: point(0), green: point(1), blue: point(2), white: point(3), maxLuminance: luminance(16, 0x1p8),
      minLuminance: luminance(20, 0x1p14))
  }
}
