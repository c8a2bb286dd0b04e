internal import Frames

/// User data of MPEG-2 pictures, in the form of T.35 messages: other codecs store the same bytes after country and
/// provider.
///
/// Source: ISO/IEC 13818-2, 6.2.2.2.2 and table 6-1; ATSC A/53 part 4 (2009), 6.2.2.
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
