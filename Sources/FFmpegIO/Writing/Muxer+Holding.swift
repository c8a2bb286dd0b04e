internal import CFFmpeg
internal import Media

extension Muxer {
  /// Audio, subtitle and data codecs that have a stream type or descriptor in transport streams; FFmpeg's muxer would
  /// write anything else as unidentified private data.
  private static let transportCodecs: Set<String> = [
    "mp2", "mp3", "aac", "aac_latm", "ac3", "eac3", "dts", "opus", "s302m", "dvb_subtitle", "dvb_teletext", "scte_35",
    "klv", "timed_id3",
  ]
  /// Codecs with a stream type in Blu-ray transport streams; FFmpeg can read its AAC in them.
  private static let bluRayCodecs: Set<String> = [
    "mp2", "mp3", "aac", "ac3", "eac3", "dts", "truehd", "pcm_bluray", "hdmv_pgs_subtitle",
  ]
  /// Program streams only have an id for DVD bitmaps, and would write any other subtitle under it.
  private static let programStreams: Set<String> = ["mpeg", "vcd", "svcd", "dvd", "vob"]
  /// Containers that can hold a cover, and its codecs there; elsewhere a cover would become a video of one frame.
  private static let covers: [String: Set<String>] = [
    "mp4": ["mjpeg", "png", "bmp"], "ipod": ["mjpeg", "png", "bmp"], "matroska": ["mjpeg", "png"],
  ]
  /// Audio codecs of MXF. Source: SMPTE ST 382.
  private static let mxfCodecs: Set<String> = ["pcm_s16le", "pcm_s24le"]
  /// Codecs that players of segments support.
  private static let segmentCodecs: Set<String> = ["aac", "ac3", "eac3", "mp3"]
  /// The same for segments that are MP4 files.
  private static let fragmentCodecs = segmentCodecs.union(["flac", "opus"])

  /// A transport stream with 192-byte packets, by file name.
  static func isBluRay(_ url: String) -> Bool { url.lowercased().hasSuffix(".m2ts") }

  /// Whether the container can hold a stream: it has a code for the codec, and can write a header with it.
  /// - Parameter others: Streams that are copied to the same file.
  static func holds(
    _ copy: StreamCopy, beside others: [StreamCopy], _ format: UnsafePointer<AVOutputFormat>, url: String
  ) -> Bool {
    let name = unsafe text(format.pointee.name) ?? ""
    if copy.kind == .attachment { return name == "matroska" }
    // Its header cannot be tried without video.
    if name == "mxf", copy.kind == .audio {
      return unsafe mxfCodecs.contains(copy.codecName) && copy.parameters.pointee.sample_rate == 48_000
    }
    // A muxer of raw packets would write those of any stream between the pictures.
    if unsafe format.pointee.flags & AVFMT_NOTIMESTAMPS != 0, unsafe format.pointee.codec_tag == nil { return false }
    if copy.isCover { return covers[name]?.contains(copy.codecName) ?? false }
    if name == "mpegts" { return (isBluRay(url) ? bluRayCodecs : transportCodecs).contains(copy.codecName) }
    if programStreams.contains(name), copy.kind == .subtitle { return copy.codecName == "dvd_subtitle" }
    // Fragments begin with the decoder configuration, which transport streams deliver only with the first audio packet.
    if name == "ismv", copy.codecName == "aac", unsafe copy.parameters.pointee.extradata_size == 0 { return false }
    // Such formats open files as soon as a header is written.
    if unsafe format.pointee.flags & AVFMT_NOFILE != 0 {
      let codecs = name == "hls" ? segmentCodecs : fragmentCodecs
      return copy.kind == .audio && (codecs.contains(copy.codecName) || name == "null")
    }
    if unsafe avformat_query_codec(format, copy.parameters.pointee.codec_id, FF_COMPLIANCE_NORMAL) == 0 {
      return false
    }
    if unsafe !keepsCodec(copy, format) { return false }
    // Attached files do not affect other streams, and may be large.
    let streams = others.filter { $0.kind != .attachment && !$0.isCover }
    return unsafe writesHeader(streams + [copy], format)
  }

  /// The container's code for the codec maps back to this codec.
  private static func keepsCodec(_ copy: StreamCopy, _ format: UnsafePointer<AVOutputFormat>) -> Bool {
    guard unsafe text(format.pointee.name) == "nut", let tags = unsafe format.pointee.codec_tag else { return true }
    let id = unsafe copy.parameters.pointee.codec_id
    return unsafe av_codec_get_id(tags, av_codec_get_tag(tags, id)) == id
  }

  private static func writesHeader(_ streams: [StreamCopy], _ format: UnsafePointer<AVOutputFormat>) -> Bool {
    var made: UnsafeMutablePointer<AVFormatContext>?
    guard unsafe avformat_alloc_output_context2(&made, format, nil, nil) >= 0, let context = unsafe made else {
      return false
    }
    defer { unsafe avformat_free_context(context) }
    for copy in streams {
      guard let stream = unsafe avformat_new_stream(context, nil),
        (try? unsafe describe(stream, as: copy, in: format)) != nil
      else { return false }
    }
    guard unsafe avio_open_dyn_buf(&context.pointee.pb) >= 0 else { return false }
    let (code, _) = FFmpegLog.listening { unsafe avformat_write_header(context, nil) }
    if code >= 0 { unsafe av_write_trailer(context) }
    var bytes: UnsafeMutablePointer<UInt8>?
    unsafe avio_close_dyn_buf(context.pointee.pb, &bytes)
    unsafe av_free(bytes)
    return code >= 0
  }
}
