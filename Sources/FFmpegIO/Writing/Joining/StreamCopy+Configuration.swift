internal import Bitstreams
internal import CFFmpeg

extension StreamCopy {
  /// The decoder's configuration, as the container stores it.
  var configuration: [UInt8] {
    guard let data = unsafe parameters.pointee.extradata else { return [] }
    return unsafe [UInt8](UnsafeBufferPointer(start: data, count: max(0, Int(parameters.pointee.extradata_size))))
  }

  /// Whether packets of both fit one stream: the same codec, profile, size, format and parameter sets.
  func isConfigured(as other: StreamCopy) -> Bool {
    let (a, b) = unsafe (parameters.pointee, other.parameters.pointee)
    guard
      unsafe a.codec_type == b.codec_type && a.codec_id == b.codec_id && a.width == b.width && a.height == b.height
        && a.format == b.format && a.profile == b.profile
    else { return false }
    let (own, its) = (configuration, other.configuration)
    switch unsafe a.codec_id {
    case AV_CODEC_ID_HEVC:
      guard let first = HEVCConfiguration(own), let second = HEVCConfiguration(its) else { return own == its }
      return first.isSame(as: second)
    case AV_CODEC_ID_AV1:
      guard let first = AV1Configuration(own), let second = AV1Configuration(its) else { return own == its }
      return first.isSame(as: second)
    default: return own == its
    }
  }
}
