internal import CFFmpeg
public import Frames

extension MediaWriter {
  /// Video codecs with a stream type in transport streams; FFmpeg's muxer would write others as private data.
  private static let transportCodecs: Set = [
    "mpeg1video", "mpeg2video", "mpeg4", "h264", "hevc", "dirac", "cavs", "vc1",
  ]
  /// Video codecs that FFmpeg can read back from program streams.
  private static let programCodecs: Set = ["mpeg1video", "mpeg2video", "mpeg4", "h264", "hevc"]
  /// Codecs that a muxer refuses although its table has them, or writes so that nobody can read them.
  private static let unheld: [String: Set<String>] = ["mov": ["vp8", "vp9", "av1"], "avi": ["hevc"]]
  /// Containers that are proposed instead, most widely read first.
  private static let common = ["mp4", "mov", "matroska", "webm", "mpegts", "nut"]

  /// Checks that a container can hold what an encoder makes, before the first frame is encoded.
  /// - Parameters:
  ///   - encoder: FFmpeg's name; one that does not exist is another error.
  ///   - url: Name of the output, which determines the container unless `format` does.
  ///   - format: FFmpeg's name of the container.
  /// - Throws: `FFmpegError.codecNotHeld` with containers that can, `.holdsNoVideo`, `.unsupportedPictures`, `.unknownFormat`.
  public static func check(encoder: String, url: String, format: String? = nil) throws(FFmpegError) {
    FFmpegLog.prepare()
    let muxer = try unsafe muxer(url: url, format: format)
    if unsafe holdsNoVideo(muxer) { throw .holdsNoVideo(format: unsafe text(muxer.pointee.name) ?? "unknown") }
    if let pictures = unsafe unsupportedPictures(muxer, encoder, url) { throw .unsupportedPictures(format: pictures) }
    guard let codec = unsafe avcodec_find_encoder_by_name(encoder), unsafe codec.pointee.type == AVMEDIA_TYPE_VIDEO,
      unsafe !holds(codec.pointee.id, muxer, url), unsafe !isLenient(codec.pointee.id, muxer)
    else { return }
    let holders = common.filter { name in
      guard let other = unsafe av_guess_format(name, nil, nil) else { return false }
      return unsafe holds(codec.pointee.id, other, "")
    }
    let suffix = url.split(separator: ".").last.map { "a .\($0) file" }
    let format = unsafe text(muxer.pointee.name) ?? "unknown"
    throw .codecNotHeld(
      format: format == "image2" ? suffix ?? format : format, encoder: encoder,
      codec: unsafe text(avcodec_get_name(codec.pointee.id)) ?? "unknown", holders: holders)
  }

  /// Whether a container holds samples that are not compressed as they are laid out: Y4M has no R'G'B'.
  /// - Parameters:
  ///   - layout: How they are laid out.
  ///   - format: FFmpeg's name of the container.
  public static func holds(_ layout: PixelLayout, format: String) -> Bool {
    format != "yuv4mpegpipe" || layout.components != .rgb
  }

  /// The muxer also writes codecs that its tables do not list, and says itself which it cannot.
  private static func isLenient(_ codec: AVCodecID, _ muxer: UnsafePointer<AVOutputFormat>) -> Bool {
    guard let format = unsafe text(muxer.pointee.name), let name = unsafe text(avcodec_get_name(codec)) else {
      return true
    }
    return ["mov", "avi", "nut", "matroska", "mxf", "asf"].contains(format) && unheld[format]?.contains(name) != true
  }

  /// The suffix of files of pictures that viewers read in full range as BT.601, whatever is written. JPEG is also what FFmpeg would
  /// write to files of pictures of any other name.
  private static func unsupportedPictures(
    _ muxer: UnsafePointer<AVOutputFormat>, _ encoder: String, _ url: String
  ) -> String? {
    let name = unsafe text(muxer.pointee.name)
    guard name == "webp" || name == "image2" && encoder == "mjpeg" else { return nil }
    return url.split(separator: ".").last.map(String.init) ?? "jpg"
  }

  /// Containers of audio, whose video is a cover, and of subtitles.
  private static func holdsNoVideo(_ muxer: UnsafePointer<AVOutputFormat>) -> Bool {
    let (video, audio, subtitles) = unsafe (
      muxer.pointee.video_codec, muxer.pointee.audio_codec, muxer.pointee.subtitle_codec
    )
    let lacksVideo = video == AV_CODEC_ID_NONE || video == AV_CODEC_ID_PNG
    // Matroska's name for audio has this muxer as well.
    return unsafe lacksVideo && (audio != AV_CODEC_ID_NONE || subtitles != AV_CODEC_ID_NONE)
      && muxer.pointee.flags & AVFMT_NOFILE == 0 && text(muxer.pointee.name) != "matroska"
  }

  /// The only codecs of a container that would be written with any, or refused in words of FFmpeg's; nil: no such container.
  private static func onlyCodecs(_ muxer: UnsafePointer<AVOutputFormat>, _ url: String) -> [AVCodecID]? {
    switch unsafe text(muxer.pointee.name) {
    case "image2":
      let codec = unsafe av_guess_codec(muxer, nil, url, nil, AVMEDIA_TYPE_VIDEO)
      return codec == AV_CODEC_ID_NONE ? nil : [codec]
    case "yuv4mpegpipe": return [AV_CODEC_ID_RAWVIDEO, AV_CODEC_ID_WRAPPED_AVFRAME]
    case "ogg", "ogv": return [AV_CODEC_ID_THEORA, AV_CODEC_ID_VP8]
    case "ivf": return [AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1]
    case "gif", "apng", "webp", "fits", "h264", "hevc", "obu", "mjpeg", "m4v", "dirac", "vc1", "cavsvideo":
      return unsafe [muxer.pointee.video_codec]
    default: return nil
    }
  }

  private static func holds(_ codec: AVCodecID, _ muxer: UnsafePointer<AVOutputFormat>, _ url: String) -> Bool {
    if let only = unsafe onlyCodecs(muxer, url) { return only.contains(codec) }
    let format = unsafe text(muxer.pointee.name) ?? ""
    let name = unsafe text(avcodec_get_name(codec)) ?? ""
    if format == "mpegts" { return transportCodecs.contains(name) }
    if ["mpeg", "vcd", "svcd", "dvd", "vob"].contains(format) { return programCodecs.contains(name) }
    if unheld[format]?.contains(name) == true { return false }
    // Pictures in files of their own, hashes and raw packets take what comes; segments say so themselves.
    if unsafe muxer.pointee.flags & (AVFMT_NOFILE | AVFMT_NOTIMESTAMPS) != 0 { return true }
    return unsafe avformat_query_codec(muxer, codec, FF_COMPLIANCE_NORMAL) != 0
  }
}
