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
  /// Number of frames that must follow the last picture of a piece of a stream, so that it is coded as well as in the
  /// middle.
  /// - Parameters:
  ///   - name: FFmpeg's name of the encoder.
  ///   - preset: Its preset; nil: its default.
  ///   - options: Options by the encoder's names.
  /// - Returns: 0 for encoders that do not benefit: x265's lookahead stops at the first frame with a forced type, and
  ///   SVT-AV1 can only be forced to key frames.
  ///
  /// Source: x264 r3095, common/base.c: rc-lookahead of the presets.
  public static func lookahead(_ name: String, preset: String?, options: [(String, String)]) -> Int {
    guard name == "libx264" else { return 0 }
    let frames = [
      "ultrafast": 0, "superfast": 0, "veryfast": 10, "faster": 20, "fast": 30, "medium": 40, "slow": 50, "slower": 60,
      "veryslow": 60, "placebo": 60,
    ]
    func stated(_ option: String) -> Int? {
      options.last { $0.0.replacing("_", with: "-") == option }.flatMap { Int($0.1) }
    }
    let lookahead = stated("rc-lookahead") ?? frames[preset ?? "medium"] ?? 60
    // A mini-GOP may begin at the last of these frames.
    return min(max(lookahead, 0), 250) + min(max(stated("bframes") ?? 16, 0), 16) + 1
  }

  /// Whether an encoder codes every picture independently or losslessly, without allocating bits over time.
  /// - Parameter name: FFmpeg's name of the encoder.
  public static func sharesNoBits(_ name: String) -> Bool {
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      let descriptor = unsafe avcodec_descriptor_get(codec.pointee.id)
    else { return false }
    return unsafe descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0 || isLossless(name)
  }

  /// Whether Matroska stores the coded pictures of an encoder unchanged.
  /// - Parameter name: FFmpeg's name of the encoder.
  public static func isHeldByMatroska(_ name: String) -> Bool {
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      let matroska = unsafe av_guess_format("matroska", nil, nil)
    else { return false }
    let id = unsafe codec.pointee.id
    if id == AV_CODEC_ID_RAWVIDEO || id == AV_CODEC_ID_WRAPPED_AVFRAME { return false }
    return unsafe avformat_query_codec(matroska, id, FF_COMPLIANCE_NORMAL) == 1
  }
}
