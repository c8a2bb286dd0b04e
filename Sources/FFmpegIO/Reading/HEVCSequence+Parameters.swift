internal import Bitstreams
internal import CFFmpeg

extension HEVCSequence {
  /// Whether the pictures of a stream are fields, which FFmpeg does not report.
  static func codesFields(_ parameters: AVCodecParameters) -> Bool {
    guard unsafe parameters.codec_id == AV_CODEC_ID_HEVC, let base = unsafe parameters.extradata else { return false }
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: base, count: max(0, Int(parameters.extradata_size))))
    return codesFields(bytes)
  }
}
