internal import CFFmpeg
internal import Frames

/// `ftyp` and `moov` of a segmented stream, written by FFmpeg's MP4 muxer.
///
/// The muxer writes no fragments here: FFmpeg 5.1 moves one that begins before the stated end of the last, which is
/// common in live capture.
@safe
struct StreamInitialization {
  // @safe: the pointers do not leave this type; the context is freed before `init` returns.
  let bytes: [UInt8]

  /// - Parameter sequenceHeader: The decoder configuration, if the encoder does not provide it when opened.
  init(_ encoder: Encoder, _ settings: SegmentEncoder.Settings, sequenceHeader: [UInt8]?) throws(FFmpegError) {
    var made: UnsafeMutablePointer<AVFormatContext>?
    let code = unsafe avformat_alloc_output_context2(&made, nil, "mp4", nil)
    guard code >= 0, let context = unsafe made else { throw .failure(.create, settings.name, code) }
    defer { unsafe avformat_free_context(context) }
    guard let stream = unsafe avformat_new_stream(context, nil) else { throw .outOfMemory }
    try unsafe Self.describe(stream, encoder, settings, sequenceHeader)
    // Without dates, so that the same settings result in the same bytes.
    unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT
    let set = unsafe av_opt_set(context.pointee.priv_data, "movflags", "+frag_custom+empty_moov+default_base_moof", 0)
    if set < 0 { throw .failure(.writeHeader, settings.name, set) }
    bytes = try unsafe Self.header(context, settings.name)
  }

  private static func describe(
    _ stream: UnsafeMutablePointer<AVStream>, _ encoder: Encoder, _ settings: SegmentEncoder.Settings,
    _ sequenceHeader: [UInt8]?
  ) throws(FFmpegError) {
    guard let parameters = unsafe stream.pointee.codecpar else { throw .outOfMemory }
    let code = unsafe avcodec_parameters_from_context(parameters, encoder.context)
    if code < 0 { throw .failure(.writeHeader, settings.name, code) }
    if let sequenceHeader { try unsafe CodecParameters.set(sequenceHeader, in: parameters) }
    if settings.codec == .hevc { unsafe parameters.pointee.codec_tag = hr_tag_hvc1() }
    unsafe stream.pointee.time_base = unsafe encoder.context.pointee.time_base
    if let rate = settings.frameRate.native { unsafe stream.pointee.avg_frame_rate = rate }
    if let aspect = settings.sampleAspectRatio?.native { unsafe stream.pointee.sample_aspect_ratio = aspect }
    try unsafe settings.metadata.add(to: stream)
  }

  private static func header(
    _ context: UnsafeMutablePointer<AVFormatContext>, _ name: String
  ) throws(FFmpegError) -> [UInt8] {
    guard unsafe avio_open_dyn_buf(&context.pointee.pb) >= 0 else { throw .outOfMemory }
    let (code, lines) = FFmpegLog.listening { unsafe avformat_write_header(context, nil) }
    var data: UnsafeMutablePointer<UInt8>?
    let count = unsafe avio_close_dyn_buf(context.pointee.pb, &data)
    defer { unsafe av_free(data) }
    unsafe context.pointee.pb = nil
    if code < 0 { throw .failure(.writeHeader, name, code, detail: lines) }
    return unsafe [UInt8](UnsafeBufferPointer(start: data, count: Int(count)))
  }
}
