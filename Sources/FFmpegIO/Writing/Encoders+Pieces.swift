internal import CFFmpeg

extension Encoders {
  /// Every picture of an encoder stands alone.
  /// - Parameter name: FFmpeg's name of the encoder.
  public static func isIntraOnly(_ name: String) -> Bool {
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      let descriptor = unsafe avcodec_descriptor_get(codec.pointee.id)
    else { return false }
    return unsafe descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0
  }

  /// Matroska carries the coded pictures of an encoder, and gives them back as they were.
  /// - Parameter name: FFmpeg's name of the encoder.
  public static func isHeldByMatroska(_ name: String) -> Bool {
    guard let codec = unsafe avcodec_find_encoder_by_name(name), let matroska = unsafe av_guess_format("matroska", nil, nil)
    else { return false }
    let id = unsafe codec.pointee.id
    if id == AV_CODEC_ID_RAWVIDEO || id == AV_CODEC_ID_WRAPPED_AVFRAME { return false }
    return unsafe avformat_query_codec(matroska, id, FF_COMPLIANCE_NORMAL) == 1
  }
}
