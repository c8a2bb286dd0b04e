internal import Bitstreams
internal import CFFmpeg

extension Muxer {
  /// Adapts the parameters of pictures that were coded for Matroska.
  func adapt(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
    unsafe Self.keepCode(in: parameters, for: format)
    guard let extradata = unsafe parameters.pointee.extradata else { return }
    let count = unsafe Int(parameters.pointee.extradata_size)
    switch unsafe parameters.pointee.codec_id {
    case AV_CODEC_ID_PRORES:
      // Only Matroska stores the code there.
      unsafe parameters.pointee.extradata = nil
      unsafe parameters.pointee.extradata_size = 0
      unsafe av_free(extradata)
    case AV_CODEC_ID_HEVC where isISO:
      let record = unsafe [UInt8](UnsafeBufferPointer(start: extradata, count: count))
      guard let complete = HEVCConfiguration(record)?.complete else { return }
      unsafe UnsafeMutableRawBufferPointer(start: extradata, count: count).copyBytes(from: complete)
    default: break
    }
  }
}
