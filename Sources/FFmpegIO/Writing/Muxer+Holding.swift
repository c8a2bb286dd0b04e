internal import CFFmpeg
internal import Media

extension Muxer {
  /// Whether the file name is a transport stream's with 192-byte packets.
  static func isBluRay(_ url: String) -> Bool { url.lowercased().hasSuffix(".m2ts") }

  /// Whether the container can hold a stream: it has a code for the codec, and can write a header for it.
  /// - Parameter others: Streams copied to the same file.
  static func holds(
    _ copy: StreamCopy, beside others: [StreamCopy], _ format: UnsafePointer<AVOutputFormat>, url: String
  ) -> Bool {
    let traits = unsafe ContainerTraits.of(format)
    if copy.kind == .attachment { return traits.holdsAttachments }
    if let codecs = traits.soundCodecs, copy.kind == .audio {
      return unsafe codecs.contains(copy.codecName) && copy.parameters.pointee.sample_rate == 48_000
    }
    // A raw packet muxer would interleave packets of any stream with the pictures.
    if unsafe format.pointee.flags & AVFMT_NOTIMESTAMPS != 0, unsafe format.pointee.codec_tag == nil { return false }
    if copy.isCover { return traits.covers.contains(copy.codecName) }
    if let codecs = traits.streamCodecs {
      return (isBluRay(url) ? traits.bluRayCodecs : codecs).contains(copy.codecName)
    }
    if let codecs = traits.subtitleCodecs, copy.kind == .subtitle { return codecs.contains(copy.codecName) }
    // Fragments begin with the decoder configuration, which transport streams deliver only with the first audio packet.
    if traits.isFragmented, copy.codecName == "aac", unsafe copy.parameters.pointee.extradata_size == 0 { return false }
    // Such formats open files when the header is written.
    if unsafe format.pointee.flags & AVFMT_NOFILE != 0 {
      return copy.kind == .audio && traits.segmentCodecs?.contains(copy.codecName) ?? true
    }
    if unsafe avformat_query_codec(format, copy.parameters.pointee.codec_id, FF_COMPLIANCE_NORMAL) == 0 {
      return false
    }
    if unsafe !keepsCodec(copy, format) { return false }
    // Attached files do not affect other streams, and may be large.
    let streams = others.filter { $0.kind != .attachment && !$0.isCover }
    return unsafe writesHeader(streams + [copy], format)
  }

  /// Whether the container's code for the codec maps back to this codec.
  private static func keepsCodec(_ copy: StreamCopy, _ format: UnsafePointer<AVOutputFormat>) -> Bool {
    guard unsafe ContainerTraits.of(format).sharesCodes, let tags = unsafe format.pointee.codec_tag else { return true }
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
