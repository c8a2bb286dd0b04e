/// A coded picture in the form that MP4 stores.
package struct CodedSample {
  package let bytes: [UInt8]

  /// - Parameters:
  ///   - packet: A picture as encoders return it: NAL units after start codes, or a temporal unit of AV1.
  ///   - isAV1: The codec is AV1.
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
