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
  /// sets, and in HEVC with the slice's layer.
  ///
  /// Source: ISO/IEC 23008-2, 7.3.1.2, 7.3.2.4, 7.3.5, 7.4.2.4.4; ISO/IEC 14496-10, 7.3.1, 7.4.1.2.3.
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
