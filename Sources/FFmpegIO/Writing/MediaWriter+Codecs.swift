internal import CFFmpeg
public import Frames

extension MediaWriter {
  /// Checks that a container supports an encoder's codec, before the first frame is encoded.
  /// - Parameters:
  ///   - encoder: FFmpeg's name; one that does not exist is another error.
  ///   - url: Name of the output, which determines the container unless `format` does.
  ///   - format: FFmpeg's name of the container.
  /// - Throws: `FFmpegError.codecNotHeld` with containers that do, `.holdsNoVideo`, `.unsupportedPictures`,
  ///   `.unknownFormat`.
  public static func check(encoder: String, url: String, format: String? = nil) throws(FFmpegError) {
    FFmpegLog.prepare()
    let muxer = try unsafe muxer(url: url, format: format)
    if unsafe holdsNoVideo(muxer) { throw .holdsNoVideo(format: unsafe text(muxer.pointee.name) ?? "unknown") }
    if let pictures = unsafe unsupportedPictures(muxer, encoder, url) { throw .unsupportedPictures(format: pictures) }
    guard let codec = unsafe avcodec_find_encoder_by_name(encoder), unsafe codec.pointee.type == AVMEDIA_TYPE_VIDEO,
      unsafe !holds(codec.pointee.id, muxer, url), unsafe !isLenient(codec.pointee.id, muxer)
    else { return }
    let holders = ContainerTraits.rows.filter(\.isProposed).map { $0.names[0] }.filter { name in
      guard let other = unsafe av_guess_format(name, nil, nil) else { return false }
      return unsafe holds(codec.pointee.id, other, "")
    }
    let suffix = url.split(separator: ".").last.map { "a .\($0) file" }
    let format = unsafe text(muxer.pointee.name) ?? "unknown"
    throw .codecNotHeld(
      format: ContainerTraits.of(format).family == .pictures ? suffix ?? format : format, encoder: encoder,
      codec: unsafe text(avcodec_get_name(codec.pointee.id)) ?? "unknown", holders: holders)
  }

  /// Whether a container holds uncompressed samples of a layout: Y4M does not support R'G'B'.
  /// - Parameters:
  ///   - layout: Layout of the samples.
  ///   - format: FFmpeg's name of the container.
  public static func holds(_ layout: PixelLayout, format: String) -> Bool {
    ContainerTraits.of(format).family != .y4m || layout.components != .rgb
  }

  /// Whether the muxer reports itself if it cannot write the codec.
  private static func isLenient(_ codec: AVCodecID, _ muxer: UnsafePointer<AVOutputFormat>) -> Bool {
    guard let name = unsafe text(avcodec_get_name(codec)) else { return true }
    let traits = unsafe ContainerTraits.of(muxer)
    return traits.isLenient && !traits.refusedVideo.contains(name)
  }

  /// The suffix of picture files that viewers read as full-range BT.601, regardless of their tags. JPEG is also
  /// FFmpeg's choice for picture files with an unknown suffix.
  private static func unsupportedPictures(
    _ muxer: UnsafePointer<AVOutputFormat>, _ encoder: String, _ url: String
  ) -> String? {
    let traits = unsafe ContainerTraits.of(muxer)
    guard traits.isReadAsBT601 || traits.family == .pictures && encoder == "mjpeg" else { return nil }
    return url.split(separator: ".").last.map(String.init) ?? "jpg"
  }

  /// Whether it is a container for audio, whose video is a cover, or for subtitles.
  private static func holdsNoVideo(_ muxer: UnsafePointer<AVOutputFormat>) -> Bool {
    let (video, audio, subtitles) = unsafe (
      muxer.pointee.video_codec, muxer.pointee.audio_codec, muxer.pointee.subtitle_codec
    )
    let lacksVideo = video == AV_CODEC_ID_NONE || video == AV_CODEC_ID_PNG
    // Matroska's audio variant uses this muxer as well.
    return unsafe lacksVideo && (audio != AV_CODEC_ID_NONE || subtitles != AV_CODEC_ID_NONE)
      && muxer.pointee.flags & AVFMT_NOFILE == 0 && ContainerTraits.of(muxer).family != .matroska
  }

  private static func holds(_ codec: AVCodecID, _ muxer: UnsafePointer<AVOutputFormat>, _ url: String) -> Bool {
    let traits = unsafe ContainerTraits.of(muxer)
    if traits.family == .pictures {
      let only = unsafe av_guess_codec(muxer, nil, url, nil, AVMEDIA_TYPE_VIDEO)
      if only != AV_CODEC_ID_NONE { return only == codec }
    }
    let name = unsafe text(avcodec_get_name(codec)) ?? ""
    if let only = traits.videoCodecs { return only.contains(name) }
    if traits.refusedVideo.contains(name) { return false }
    // Separate picture files, hashes and raw packets accept anything; segment muxers report errors themselves.
    if unsafe muxer.pointee.flags & (AVFMT_NOFILE | AVFMT_NOTIMESTAMPS) != 0 { return true }
    return unsafe avformat_query_codec(muxer, codec, FF_COMPLIANCE_NORMAL) != 0
  }
}
