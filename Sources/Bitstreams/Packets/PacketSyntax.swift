package import Frames

/// The packet syntax of a stream, for data besides its pictures: ITU-T T.35 messages, static metadata, ambient viewing
/// environments and random access points.
package enum PacketSyntax: Sendable {
  case hevc(NALFraming)
  case h264(NALFraming)
  case av1
  case mpeg2

  /// The supported messages of a packet's picture, read in one pass.
  package func messages(in packet: Span<UInt8>) -> [PacketMessage] {
    switch self {
    case .hevc(let framing): Self.messages(in: packet, framing, .hevc)
    case .h264(let framing): Self.messages(in: packet, framing, .h264)
    case .av1: MetadataOBUs.messages(in: packet)
    case .mpeg2: UserData.messages(in: packet)
    }
  }

  private static func messages(
    in packet: Span<UInt8>, _ framing: NALFraming, _ header: SEIMessages.Header
  ) -> [PacketMessage] {
    let wanted: Set = [
      SEIMessages.registered, SEIMessages.masteringDisplay, SEIMessages.contentLight, SEIMessages.ambientViewing,
    ]
    return SEIMessages.messages(of: wanted, in: packet, framing: framing, header: header).compactMap { type, payload in
      switch type {
      case SEIMessages.masteringDisplay: (try? MasteringDisplay(seiPayload: payload)).map { .masteringDisplay($0) }
      case SEIMessages.contentLight: (try? ContentLight(seiPayload: payload)).map { .contentLight($0) }
      case SEIMessages.ambientViewing: (try? AmbientViewing(seiPayload: payload)).map { .ambientViewing($0) }
      default: .registered(payload)
      }
    }
  }

  /// The position for a T.35 message in the packet of its picture, and the bytes to insert there.
  /// - Returns: nil if the packet cannot carry it.
  package func insertion(of message: [UInt8], in packet: Span<UInt8>) -> (place: Int, bytes: [UInt8])? {
    switch self {
    case .hevc(let framing):
      SEIMessages.insertion(message, type: SEIMessages.registered, in: packet, framing: framing, header: .hevc)
    case .h264(let framing):
      SEIMessages.insertion(message, type: SEIMessages.registered, in: packet, framing: framing, header: .h264)
    case .av1: MetadataOBUs.placeOfPicture(in: packet).map { ($0, MetadataOBUs.unit(message)) }
    case .mpeg2: UserData.insertion(of: message, in: packet)
    }
  }
}

/// Data of a packet besides its picture.
package enum PacketMessage: Sendable {
  /// ITU-T T.35, from the country code on.
  case registered([UInt8])
  case masteringDisplay(MasteringDisplay)
  case contentLight(ContentLight)
  case ambientViewing(AmbientViewing)
}

/// Kinds of T.35 messages, identified by their first codes.
package enum RegisteredMessage: Sendable, CaseIterable {
  case adaptiveToneMap, hdr10Plus, captions

  package var codes: [UInt8] {
    switch self {
    // Country (United States), provider (SMPTE) and oriented code. Source: SMPTE ST 2094-50, 7.3.
    case .adaptiveToneMap: [0xB5, 0x00, 0x90, 0x00, 0x01]
    // Country, provider (Samsung), oriented code and application. Source: SMPTE ST 2094-40, CTA-861-I, S.
    case .hdr10Plus: [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04]
    // Country, provider (ATSC), "GA94" and the type of cc_data. Source: ATSC A/53 part 4 (2009), 6.2.1 and 6.2.3.
    case .captions: [0xB5, 0x00, 0x31, 0x47, 0x41, 0x39, 0x34, 0x03]
    }
  }

  package init?(_ message: [UInt8]) {
    guard let kind = Self.allCases.first(where: { message.starts(with: $0.codes) }) else { return nil }
    self = kind
  }

  /// Maximum number of triplets in a caption message: a count of five bits.
  private static let maxTriplets = 31

  /// The caption messages of a picture. Source: CTA-708.1 / ATSC A/53 part 4 (2009), table 6.7 (`cc_data`).
  /// - Parameter captions: Triplets of `cc_data`.
  package static func messages(of captions: [UInt8]) -> [[UInt8]] {
    stride(from: 0, to: captions.count / 3, by: maxTriplets).map { first in
      let part = captions[3 * first..<min(3 * (first + maxTriplets), captions.count / 3 * 3)]
      return Self.captions.codes + [0xC0 | UInt8(part.count / 3), 0xFF] + part + [0xFF]
    }
  }
}

/// Supplemental enhancement information in packets of HEVC and H.264.
package enum SEIMessages {
  /// Differences between the two codecs.
  package struct Header: Sendable {
    package let length: Int
    package let type: @Sendable (UInt8) -> UInt8
    package let isPicture: @Sendable (UInt8) -> Bool
    package let sei: UInt8

    /// Source: ISO/IEC 23008-2, 7.3.1.2 and table 7-1: prefix SEI is 39, coded slices are below 32.
    package static let hevc = Header(length: 2, type: { $0 >> 1 & 0x3F }, isPicture: { $0 < 32 }, sei: 39)
    /// Source: ISO/IEC 14496-10, 7.3.1 and table 7-1.
    package static let h264 = Header(length: 1, type: { $0 & 0x1F }, isPicture: { (1...5).contains($0) }, sei: 6)
  }

  /// Longer units are skipped.
  package static let longestUnit = 1 << 16
  /// `pic_timing`
  package static let pictureTiming = 1
  /// `user_data_registered_itu_t_t35`
  static let registered = 4
  /// `recovery_point`
  package static let recoveryPoint = 6
  /// `mastering_display_colour_volume`
  static let masteringDisplay = 137
  /// `content_light_level_info`
  static let contentLight = 144
  /// `ambient_viewing_environment`
  static let ambientViewing = 148

  /// The messages of the given types before the first coded slice.
  package static func messages(
    of wanted: Set<Int>, in packet: Span<UInt8>, framing: NALFraming, header: Header
  ) -> [(type: Int, payload: [UInt8])] {
    var result: [(type: Int, payload: [UInt8])] = []
    var position = 0
    while let unit = NALUnits.next(in: packet, from: &position, framing) {
      guard unit.count > header.length else { continue }
      let type = header.type(packet[unit.lowerBound])
      if header.isPicture(type) { break }
      guard type == header.sei, unit.count <= longestUnit else { continue }
      result += messages(of: wanted, in: NALUnits.unescaped(packet, unit.dropFirst(header.length)))
    }
    return result
  }

  /// A message as prefix SEI for the picture of a packet: before its first slice, after the delimiter and parameter
  /// sets, and in HEVC with the slice's layer. Source: ISO/IEC 23008-2, 7.3.1.2, 7.3.2.4, 7.3.5, 7.4.2.4.4; ISO/IEC
  /// 14496-10, 7.3.1, 7.4.1.2.3.
  /// - Returns: nil if the packet has no slice.
  static func insertion(
    _ payload: [UInt8], type: Int, in packet: Span<UInt8>, framing: NALFraming, header: Header
  ) -> (place: Int, bytes: [UInt8])? {
    var position = 0
    while let unit = NALUnits.next(in: packet, from: &position, framing) {
      guard unit.count > header.length, header.isPicture(header.type(packet[unit.lowerBound])) else { continue }
      func number(_ value: Int) -> [UInt8] { Array(repeating: 255, count: value / 255) + [UInt8(value % 255)] }
      let content = number(type) + number(payload.count) + payload + [0x80]
      let layer = packet[unit.lowerBound] & 1
      let start = header.length == 1 ? [header.sei] : [header.sei << 1 | layer, packet[unit.lowerBound + 1]]
      return (unit.lowerBound - framing.prefixLength, framing.framed(start + NALUnits.escaped(content)))
    }
    return nil
  }

  /// The messages of the given types in an SEI unit. Source: ISO/IEC 23008-2, 7.3.5.
  package static func messages(of wanted: Set<Int>, in bytes: [UInt8]) -> [(type: Int, payload: [UInt8])] {
    var result: [(type: Int, payload: [UInt8])] = []
    var position = 0
    /// Sums bytes of 255 and the following byte.
    func number() -> Int? {
      var sum = 0
      while position < bytes.count {
        let byte = bytes[position]
        position += 1
        sum += Int(byte)
        if byte != 255 { return sum }
      }
      return nil
    }
    // At least one byte of trailing bits follows the last message.
    while position < bytes.count - 2 {
      guard let type = number(), let size = number(), size <= bytes.count - position else { break }
      if wanted.contains(type) { result.append((type, Array(bytes[position..<position + size]))) }
      position += size
    }
    return result
  }
}

/// User data of MPEG-2 pictures, in the form of T.35 messages: other codecs store the same bytes after country and
/// provider. Source: ISO/IEC 13818-2, 6.2.2.2.2 and table 6-1; ATSC A/53 part 4 (2009), 6.2.2.
enum UserData {
  private static let userData: UInt8 = 0xB2
  private static let slices: ClosedRange<UInt8> = 0x01...0xAF
  /// United States and ATSC.
  private static let provider = Array(RegisteredMessage.captions.codes.prefix(3))

  /// The messages before the first slice of a packet.
  static func messages(in packet: Span<UInt8>) -> [PacketMessage] {
    var result: [PacketMessage] = []
    var position = 0
    while let unit = NALUnits.next(in: packet, from: &position, .startCodes) {
      guard unit.count > 1, !slices.contains(packet[unit.lowerBound]) else { break }
      guard packet[unit.lowerBound] == userData, unit.count <= SEIMessages.longestUnit else { continue }
      result.append(.registered(provider + unit.dropFirst().map { packet[$0] }))
    }
    return result
  }

  /// The position for a message, between the picture's header and its first slice, and the bytes to insert there.
  /// - Returns: nil if the packet has no slice.
  static func insertion(of message: [UInt8], in packet: Span<UInt8>) -> (place: Int, bytes: [UInt8])? {
    let framing = NALFraming.startCodes
    var position = 0
    while let unit = NALUnits.next(in: packet, from: &position, framing) {
      guard unit.count > 0, slices.contains(packet[unit.lowerBound]) else { continue }
      return (unit.lowerBound - framing.prefixLength, framing.framed([userData] + message.dropFirst(provider.count)))
    }
    return nil
  }
}
