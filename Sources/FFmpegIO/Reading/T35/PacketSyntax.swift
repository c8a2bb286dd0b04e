internal import CFFmpeg
internal import Frames

/// The packet syntax of a stream, for what FFmpeg does not report: ITU-T T.35 messages,
/// ambient viewing environments and random access points.
enum PacketSyntax {
  case hevc(NALFraming)
  case h264(NALFraming)
  case av1

  /// nil for codecs without such messages.
  init?(_ parameters: AVCodecParameters) {
    let extradata = unsafe [UInt8](
      UnsafeBufferPointer(start: parameters.extradata, count: max(0, Int(parameters.extradata_size))))
    switch unsafe parameters.codec_id {
    // Offset of lengthSizeMinusOne in the configuration record. Source: ISO/IEC 14496-15, 8.3.3.1.2 and 5.3.3.1.2.
    case AV_CODEC_ID_HEVC: self = .hevc(NALFraming(record: extradata, lengthSizeAt: 21))
    case AV_CODEC_ID_H264: self = .h264(NALFraming(record: extradata, lengthSizeAt: 4))
    case AV_CODEC_ID_AV1: self = .av1
    default: return nil
    }
  }

  /// The T.35 messages of a packet's picture, starting with the country code.
  func messages(in packet: Span<UInt8>) -> [[UInt8]] {
    switch self {
    case .hevc, .h264: payloads(of: SEIMessages.registered, in: packet)
    case .av1: MetadataOBUs.t35(in: packet)
    }
  }

  /// Where a T.35 message goes in the packet of a picture that it applies to, and the bytes to insert there.
  /// - Returns: nil if the packet has no place for it, and for H.264.
  func insertion(of message: [UInt8], in packet: Span<UInt8>) -> (place: Int, bytes: [UInt8])? {
    switch self {
    case .hevc(let framing):
      SEIMessages.insertionIntoHEVC(message, type: SEIMessages.registered, in: packet, framing: framing)
    case .av1: MetadataOBUs.placeOfPicture(in: packet).map { ($0, MetadataOBUs.unit(message)) }
    case .h264: nil
    }
  }

  /// The last ambient viewing environment before the first coded picture of a packet.
  func ambientViewing(in packet: Span<UInt8>) -> AmbientViewing? {
    payloads(of: SEIMessages.ambientViewing, in: packet).compactMap { try? AmbientViewing(seiPayload: $0) }.last
  }

  private func payloads(of type: Int, in packet: Span<UInt8>) -> [[UInt8]] {
    switch self {
    case .hevc(let framing): SEIMessages.payloads(of: type, in: packet, framing: framing, header: .hevc)
    case .h264(let framing): SEIMessages.payloads(of: type, in: packet, framing: framing, header: .h264)
    case .av1: []
    }
  }
}
