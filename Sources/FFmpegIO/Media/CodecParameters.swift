internal import Bitstreams
internal import CFFmpeg

/// Owns the `AVCodecParameters` of video that no container describes.
@safe
final class CodecParameters {
  // @safe: the pointer does not leave this module, and is freed with this object.
  let pointer: UnsafeMutablePointer<AVCodecParameters>

  /// - Parameter configuration: The decoder's configuration record; empty if the packets contain everything.
  init(_ codec: AVCodecID, configuration: [UInt8] = []) throws(FFmpegError) {
    guard let pointer = unsafe avcodec_parameters_alloc() else { throw .outOfMemory }
    unsafe self.pointer = unsafe pointer
    unsafe pointer.pointee.codec_type = AVMEDIA_TYPE_VIDEO
    unsafe pointer.pointee.codec_id = codec
    if !configuration.isEmpty { try unsafe Self.set(configuration, in: pointer) }
  }

  deinit { unsafe release(pointer, avcodec_parameters_free) }

  /// Replaces the decoder's configuration.
  static func set(
    _ configuration: [UInt8], in parameters: UnsafeMutablePointer<AVCodecParameters>
  ) throws(FFmpegError) {
    // FFmpeg reads whole words past the end.
    let room = configuration.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let extra = unsafe av_mallocz(room) else { throw .outOfMemory }
    unsafe UnsafeMutableRawBufferPointer(start: extra, count: room).copyBytes(from: configuration)
    unsafe av_free(parameters.pointee.extradata)
    unsafe parameters.pointee.extradata = unsafe extra.assumingMemoryBound(to: UInt8.self)
    unsafe parameters.pointee.extradata_size = Int32(clamping: configuration.count)
  }
}

extension AVCodecID {
  /// Whether it is PNG or animated PNG.
  var isPNG: Bool { self == AV_CODEC_ID_PNG || self == AV_CODEC_ID_APNG }
}

extension HEVCSequence {
  /// Whether the pictures of a stream are fields, which FFmpeg does not report.
  static func codesFields(_ parameters: AVCodecParameters) -> Bool {
    guard unsafe parameters.codec_id == AV_CODEC_ID_HEVC, let base = unsafe parameters.extradata else { return false }
    let bytes = unsafe [UInt8](UnsafeBufferPointer(start: base, count: max(0, Int(parameters.extradata_size))))
    return codesFields(bytes)
  }
}

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
