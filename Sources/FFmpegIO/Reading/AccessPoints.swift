internal import Bitstreams
internal import CFFmpeg

/// Finds random access points, from the bitstream where container flags are known to be wrong.
struct AccessPoints {
  private let syntax: PacketSyntax?

  init(_ parameters: AVCodecParameters) { syntax = unsafe PacketSyntax(parameters) }

  /// The structure that begins at a packet; nil if decoding cannot begin there.
  func kind(of packet: AVPacket) -> PictureIndex.Access? {
    let isKey = unsafe packet.flags & AV_PKT_FLAG_KEY != 0
    guard let base = unsafe packet.data, unsafe packet.size > 0 else { return nil }
    // The packet's bytes outlive this call, which retains none of them.
    let bytes = unsafe Span(_unsafeStart: base, count: Int(unsafe packet.size))
    switch syntax {
    case .hevc(let framing): return Self.kindOfHEVC(bytes, framing)
    case .h264(let framing): return Self.kindOfH264(bytes, framing, isKey: isKey)
    case .av1, .mpeg2, nil: return isKey ? .sequence : nil
    }
  }

  /// Determined by the type of the first coded slice: 16 to 18 are BLA and 19 and 20 IDR pictures, which begin a
  /// sequence; 21 is CRA. Source: ISO/IEC 23008-2, table 7-1.
  private static func kindOfHEVC(_ packet: Span<UInt8>, _ framing: NALFraming) -> PictureIndex.Access? {
    let header = SEIMessages.Header.hevc
    var position = 0
    while let unit = NALUnits.next(in: packet, from: &position, framing) {
      guard unit.count > header.length else { continue }
      let type = header.type(packet[unit.lowerBound])
      guard header.isPicture(type) else { continue }
      return (16...20).contains(type) ? .sequence : type == 21 ? .group : nil
    }
    return nil
  }

  /// An IDR picture, a recovery point with immediate recovery, or an intra picture that the container flags as a key
  /// frame. With gradual recovery, as in periodic intra refresh, errors never disappear entirely. Source: ISO/IEC
  /// 14496-10, table 7-1, 7.3.3, D.1.8: payload type 6 begins with recovery_frame_cnt, which is 0 where the first bit
  /// is set.
  private static func kindOfH264(_ packet: Span<UInt8>, _ framing: NALFraming, isKey: Bool) -> PictureIndex.Access? {
    let header = SEIMessages.Header.h264
    var position = 0
    while let unit = NALUnits.next(in: packet, from: &position, framing) {
      guard unit.count > header.length else { continue }
      let type = header.type(packet[unit.lowerBound])
      if type == header.sei, unit.count <= SEIMessages.longestUnit {
        let bytes = NALUnits.unescaped(packet, unit.dropFirst(header.length))
        if let point = SEIMessages.messages(of: [SEIMessages.recoveryPoint], in: bytes).first {
          return point.payload.first ?? 0 >= 0x80 ? .group : nil
        }
      }
      guard header.isPicture(type) else { continue }
      if type == 5 { return .sequence }
      return isKey && isIntraSlice(packet, unit.dropFirst(header.length)) ? .group : nil
    }
    return nil
  }

  /// Whether a slice is of type I or SI: the second Exp-Golomb number in its header is 2, 4, 7 or 9.
  private static func isIntraSlice(_ packet: Span<UInt8>, _ range: Range<Int>) -> Bool {
    // Both numbers are in the first bytes, as long as the first macroblock is one of the first 2^20.
    var reader = SyntaxReader(NALUnits.unescaped(packet, range.prefix(12)))
    guard reader.number() != nil, let type = reader.number() else { return false }
    return [2, 4, 7, 9].contains(type)
  }
}

/// Determines where decoding begins at the start of a stream. FFmpeg's HEVC decoder invents missing references; the
/// others wait for a picture that needs none.
struct DecodingStart {
  /// Maximum number of pictures skipped in search of a random access point: ten seconds at 60 a second. A stream with
  /// gradual refresh has none.
  private static let maxSkipped = 600

  private let accessPoints: AccessPoints
  private var hasBegun: Bool
  /// Number of packets before the first decodable one.
  private(set) var skipped = 0

  init(_ parameters: AVCodecParameters) {
    accessPoints = unsafe AccessPoints(parameters)
    hasBegun = unsafe parameters.codec_id != AV_CODEC_ID_HEVC
  }

  /// Whether the next packet can be decoded.
  mutating func reaches(_ packet: AVPacket) -> Bool {
    if !hasBegun {
      hasBegun = unsafe accessPoints.kind(of: packet) != nil || skipped >= Self.maxSkipped
      if !hasBegun { skipped += 1 }
    }
    return hasBegun
  }
}
