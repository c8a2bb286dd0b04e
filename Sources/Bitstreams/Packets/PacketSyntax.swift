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
