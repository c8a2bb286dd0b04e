internal import CFFmpeg

extension Muxer {
  /// What a transport stream has a stream type or a descriptor for, of sound, subtitles and data; FFmpeg's muxer would
  /// write everything else as private data that nobody can read.
  private static let transportCodecs: Set<String> = [
    "mp2", "mp3", "aac", "aac_latm", "ac3", "eac3", "dts", "opus", "s302m", "dvb_subtitle", "dvb_teletext",
    "hdmv_pgs_subtitle", "scte_35", "klv", "timed_id3",
  ]
  /// What players of segments read.
  private static let segmentCodecs: Set<String> = ["aac", "ac3", "eac3", "mp3", "flac", "opus"]

  /// The container takes a stream as it is: it has a code for it, and can write a header with it.
  static func holds(_ copy: StreamCopy, _ format: UnsafePointer<AVOutputFormat>) -> Bool {
    let name = unsafe text(format.pointee.name) ?? ""
    if copy.kind == .attachment { return name == "matroska" }
    // A muxer of bare packets would write those of any stream between the pictures.
    if unsafe format.pointee.flags & AVFMT_NOTIMESTAMPS != 0, unsafe format.pointee.codec_tag == nil { return false }
    // QuickTime files have no place for a cover, WebM none for any file.
    if copy.isCover, ["mov", "webm"].contains(name) { return false }
    if name == "mpegts" { return transportCodecs.contains(copy.codecName) }
    // Such formats open files of their own as soon as a header is written.
    if unsafe format.pointee.flags & AVFMT_NOFILE != 0 {
      return copy.kind == .audio && (segmentCodecs.contains(copy.codecName) || name == "null")
    }
    if unsafe avformat_query_codec(format, copy.parameters.pointee.codec_id, FF_COMPLIANCE_NORMAL) == 0 {
      return copy.isCover && name == "matroska"
    }
    return unsafe writesHeader(copy, format)
  }

  private static func writesHeader(_ copy: StreamCopy, _ format: UnsafePointer<AVOutputFormat>) -> Bool {
    var made: UnsafeMutablePointer<AVFormatContext>?
    guard unsafe avformat_alloc_output_context2(&made, format, nil, nil) >= 0, let context = unsafe made else {
      return false
    }
    defer { unsafe avformat_free_context(context) }
    guard let stream = unsafe avformat_new_stream(context, nil),
      (try? unsafe describe(stream, as: copy, in: format)) != nil, unsafe avio_open_dyn_buf(&context.pointee.pb) >= 0
    else { return false }
    let (code, _) = FFmpegLog.listening { unsafe avformat_write_header(context, nil) }
    if code >= 0 { unsafe av_write_trailer(context) }
    var bytes: UnsafeMutablePointer<UInt8>?
    unsafe avio_close_dyn_buf(context.pointee.pb, &bytes)
    unsafe av_free(bytes)
    return code >= 0
  }
}
