internal import CFFmpeg

extension MediaWriter {
  /// Whether a container holds coded pictures rather than hashes or samples of them.
  /// - Parameters:
  ///   - url: The output.
  ///   - format: FFmpeg's name of the container; nil: chosen by the file name.
  public static func writesPackets(url: String, format: String?) -> Bool {
    guard let muxer = try? unsafe muxer(url: url, format: format) else { return false }
    let id = unsafe muxer.pointee.video_codec
    let isFile = unsafe muxer.pointee.flags & AVFMT_NOFILE == 0
    return isFile && id != AV_CODEC_ID_RAWVIDEO && id != AV_CODEC_ID_WRAPPED_AVFRAME && id != AV_CODEC_ID_NONE
  }
}

extension Encoders {
  /// Every picture of an encoder stands alone, or is lossless: no bits are shared out over time.
  /// - Parameter name: FFmpeg's name of the encoder.
  public static func sharesNoBits(_ name: String) -> Bool {
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      let descriptor = unsafe avcodec_descriptor_get(codec.pointee.id)
    else { return false }
    let (isIntra, isLossless, isLossy) = unsafe (
      descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0, descriptor.pointee.props & AV_CODEC_PROP_LOSSLESS != 0,
      descriptor.pointee.props & AV_CODEC_PROP_LOSSY != 0
    )
    return isIntra || isLossless && !isLossy
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
