internal import CFFmpeg

/// How the packets of a stream are to be read, for what FFmpeg does not tell of them: messages by ITU-T T.35, and where
/// decoding can begin.
enum PacketSyntax {
  case hevc(NALFraming)
  case h264(NALFraming)
  case av1

  /// nil for codecs that have no such messages.
  init?(_ parameters: AVCodecParameters) {
    let extradata = unsafe [UInt8](
      UnsafeBufferPointer(start: parameters.extradata, count: max(0, Int(parameters.extradata_size))))
    switch unsafe parameters.codec_id {
    // Where the configuration record has its "length size minus one". Source: ISO/IEC 14496-15, 8.3.3.1.2 and 5.3.3.1.2.
    case AV_CODEC_ID_HEVC: self = .hevc(NALFraming(record: extradata, lengthSizeAt: 21))
    case AV_CODEC_ID_H264: self = .h264(NALFraming(record: extradata, lengthSizeAt: 4))
    case AV_CODEC_ID_AV1: self = .av1
    default: return nil
    }
  }

  /// The T.35 messages before the first coded picture of a packet, each from its country code on.
  func messages(in packet: Span<UInt8>) -> [[UInt8]] {
    switch self {
    case .hevc(let framing): SEIMessages.t35(in: packet, framing: framing, header: .hevc)
    case .h264(let framing): SEIMessages.t35(in: packet, framing: framing, header: .h264)
    case .av1: MetadataOBUs.t35(in: packet)
    }
  }
}
