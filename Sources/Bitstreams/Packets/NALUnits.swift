/// Delimiters of the NAL units in a packet.
package enum NALFraming: Sendable, Equatable {
  /// A start code before each unit, ISO/IEC 23008-2, annex B.
  case startCodes
  /// A length field of this many bytes before each unit, ISO/IEC 14496-15.
  case lengths(Int)

  /// Bytes before each unit. A start code may have one more zero, which may also end the previous unit.
  var prefixLength: Int { if case .lengths(let size) = self { size } else { 3 } }

  /// A unit with its start code or length.
  func framed(_ unit: [UInt8]) -> [UInt8] {
    guard case .lengths(let size) = self else { return [0, 0, 1] + unit }
    return (0..<size).reversed().map { UInt8(truncatingIfNeeded: unit.count >> (8 * $0)) } + unit
  }

  /// - Parameter lengthSizeAt: Offset of the byte whose lowest two bits are the length size minus 1.
  package init(record: [UInt8], lengthSizeAt offset: Int) {
    // A record begins with its version, 1; bare parameter sets begin with a start code.
    guard record.count > offset, record[0] == 1 else {
      self = .startCodes
      return
    }
    self = .lengths(Int(record[offset] & 3) + 1)
  }
}

/// The NAL units of a packet of HEVC or H.264.
package enum NALUnits {
  /// The next NAL unit, including its header; nil at the end or if lengths are inconsistent.
  package static func next(in packet: Span<UInt8>, from position: inout Int, _ framing: NALFraming) -> Range<Int>? {
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

  /// Position of the next 00 00 01.
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

  /// Inserts 03 into each 00 00 00 to 00 00 03. Source: ISO/IEC 23008-2, 7.3.1.1.
  static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var zeros = 0
    for byte in bytes {
      if zeros == 2, byte <= 3 {
        result.append(3)
        zeros = 0
      }
      result.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return result
  }

  /// Removes the 03 of each 00 00 03. Source: ISO/IEC 23008-2, 7.3.1.1.
  package static func unescaped(_ packet: Span<UInt8>, _ range: Range<Int>) -> [UInt8] {
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
}

/// A coded picture in the form that MP4 stores.
package struct CodedSample {
  package let bytes: [UInt8]

  /// - Parameter packet: A picture as encoders return it: NAL units after start codes, or a temporal unit of AV1.
  package init(_ packet: Span<UInt8>, isAV1: Bool) {
    bytes = isAV1 ? Self.temporalUnit(packet) : Self.lengthPrefixed(packet)
  }

  /// Source: ISO/IEC 14496-15:2022, 4.3.3.
  private static func lengthPrefixed(_ packet: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(packet.count + 16)
    var position = 0
    while var range = NALUnits.next(in: packet, from: &position, .startCodes) {
      // Zeros belong to the next start code: no unit ends with one. Source: ISO/IEC 14496-10, 7.4.1 and annex B.
      while let last = range.last, packet[last] == 0 { range.removeLast() }
      result += UInt32(clamping: range.count).bigEndianBytes
      append(packet, range, to: &result)
    }
    return result
  }

  /// A temporal unit without its delimiter, which is empty and comes first. Source: AV1 Bitstream & Decoding Process
  /// Specification (2019), 7.5; AV1 Codec ISO Media File Format Binding, 2.4.
  private static func temporalUnit(_ packet: Span<UInt8>) -> [UInt8] {
    let hasDelimiter = packet.count >= 2 && packet[0] == 0x12 && packet[1] == 0
    var result: [UInt8] = []
    append(packet, (hasDelimiter ? 2 : 0)..<packet.count, to: &result)
    return result
  }

  private static func append(_ packet: Span<UInt8>, _ range: Range<Int>, to result: inout [UInt8]) {
    unsafe packet.extracting(range).withUnsafeBufferPointer { unsafe result.append(contentsOf: $0) }
  }
}
