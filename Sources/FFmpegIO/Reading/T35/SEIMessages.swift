/// Supplemental enhancement information in packets of HEVC and H.264.
enum SEIMessages {
  /// What the two codecs differ in.
  struct Header: Sendable {
    let length: Int
    let type: @Sendable (UInt8) -> UInt8
    let isPicture: @Sendable (UInt8) -> Bool
    let sei: UInt8

    /// Source: ISO/IEC 23008-2, 7.3.1.2 and table 7-1: prefix SEI is 39, coded slices are below 32.
    static let hevc = Header(length: 2, type: { $0 >> 1 & 0x3F }, isPicture: { $0 < 32 }, sei: 39)
    /// Source: ISO/IEC 14496-10, 7.3.1 and table 7-1.
    static let h264 = Header(length: 1, type: { $0 & 0x1F }, isPicture: { (1...5).contains($0) }, sei: 6)
  }

  /// Longer ones are not looked into.
  private static let longestUnit = 1 << 16
  /// `user_data_registered_itu_t_t35`
  private static let registered = 4

  /// The T.35 messages before the first coded slice.
  static func t35(in packet: Span<UInt8>, framing: NALFraming, header: Header) -> [[UInt8]] {
    var result: [[UInt8]] = []
    var position = 0
    while let unit = next(in: packet, from: &position, framing) {
      guard unit.count > header.length else { continue }
      let type = header.type(packet[unit.lowerBound])
      if header.isPicture(type) { break }
      guard type == header.sei, unit.count <= longestUnit else { continue }
      result += payloads(unescaped(packet, unit.dropFirst(header.length)))
    }
    return result
  }

  /// The next NAL unit, header included; nil at the end or where lengths do not fit.
  private static func next(in packet: Span<UInt8>, from position: inout Int, _ framing: NALFraming) -> Range<Int>? {
    switch framing {
    case .lengths(let size):
      guard packet.count - position >= size else { return nil }
      let length = (position..<position + size).reduce(0) { $0 << 8 | Int(packet[$1]) }
      let start = position + size
      guard length <= packet.count - start else { return nil }
      position = start + length
      return start..<position
    case .startCodes:
      guard let start = startCode(in: packet, from: position).map({ $0 + 3 }) else { return nil }
      position = startCode(in: packet, from: start) ?? packet.count
      return start..<position
    }
  }

  /// Where the next 00 00 01 begins.
  private static func startCode(in packet: Span<UInt8>, from start: Int) -> Int? {
    var index = start
    while index + 2 < packet.count {
      if packet[index + 2] > 1 {
        index += 3
      } else if packet[index] == 0, packet[index + 1] == 0, packet[index + 2] == 1 {
        return index
      } else {
        index += 1
      }
    }
    return nil
  }

  /// Without the 03 of each 00 00 03. Source: ISO/IEC 23008-2, 7.3.1.1.
  private static func unescaped(_ packet: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(range.count)
    var zeros = 0
    for index in range {
      let byte = packet[index]
      if zeros >= 2, byte == 3 {
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      result.append(byte)
    }
    return result
  }

  /// The payloads of type 4. Source: ISO/IEC 23008-2, 7.3.5.
  private static func payloads(_ bytes: [UInt8]) -> [[UInt8]] {
    var result: [[UInt8]] = []
    var position = 0
    /// Bytes of 255 and one below, summed up.
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
      if type == registered { result.append(Array(bytes[position..<position + size])) }
      position += size
    }
    return result
  }
}
