internal import Bitstreams
internal import CFFmpeg

extension PacketSyntax {
  /// nil for codecs without supported messages.
  init?(_ parameters: AVCodecParameters) {
    let extradata = unsafe [UInt8](
      UnsafeBufferPointer(start: parameters.extradata, count: max(0, Int(parameters.extradata_size))))
    switch unsafe parameters.codec_id {
    // Offset of lengthSizeMinusOne in the configuration record. Source: ISO/IEC 14496-15, 8.3.3.1.2 and 5.3.3.1.2.
    case AV_CODEC_ID_HEVC: self = .hevc(NALFraming(record: extradata, lengthSizeAt: 21))
    case AV_CODEC_ID_H264: self = .h264(NALFraming(record: extradata, lengthSizeAt: 4))
    case AV_CODEC_ID_AV1: self = .av1
    case AV_CODEC_ID_MPEG2VIDEO: self = .mpeg2
    default: return nil
    }
  }
}
