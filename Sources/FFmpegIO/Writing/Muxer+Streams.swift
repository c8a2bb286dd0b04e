internal import Bitstreams
internal import CFFmpeg
internal import Media

/// Descriptions of input streams in the output.
extension Muxer {
  static func describe(
    _ stream: UnsafeMutablePointer<AVStream>, as copy: StreamCopy, in format: UnsafePointer<AVOutputFormat>
  ) throws(FFmpegError) {
    guard let parameters = unsafe stream.pointee.codecpar,
      unsafe avcodec_parameters_copy(parameters, copy.parameters) >= 0
    else { throw .outOfMemory }
    unsafe keepCode(in: parameters, for: format)
    if let base = copy.timeBase.native { unsafe stream.pointee.time_base = base }
    unsafe stream.pointee.sample_aspect_ratio = copy.sampleAspectRatio
    unsafe stream.pointee.avg_frame_rate = copy.averageFrameRate
    // FFmpeg's muxers recognize a cover by this disposition alone.
    unsafe stream.pointee.disposition = copy.isCover ? AV_DISPOSITION_ATTACHED_PIC : copy.disposition
    unsafe setTags(copy.tags.kept(in: text(format.pointee.name)), in: &stream.pointee.metadata)
    if copy.isCover, unsafe ContainerTraits.of(format).holdsAttachments { try unsafe attach(copy, to: stream) }
    for data in copy.sideData { try unsafe data.add(to: stream) }
  }

  /// Keeps the source's code of the codec only if it has the same meaning in this container; formats that open files
  /// themselves choose a new one.
  static func keepCode(
    in parameters: UnsafeMutablePointer<AVCodecParameters>, for format: UnsafePointer<AVOutputFormat>
  ) {
    if unsafe format.pointee.flags & AVFMT_NOFILE != 0 { unsafe parameters.pointee.codec_tag = 0 }
    guard let tags = unsafe format.pointee.codec_tag else { return }
    let id = unsafe parameters.pointee.codec_id
    var own: UInt32 = 0
    let isSame = unsafe av_codec_get_id(tags, parameters.pointee.codec_tag) == id
    if unsafe !isSame && av_codec_get_tag2(tags, id, &own) != 0 { unsafe parameters.pointee.codec_tag = 0 }
  }

  /// Converts a cover stream to an attachment, as Matroska requires and FFmpeg's muxer does not support. Source:
  /// Matroska media container specifications, "Cover art".
  private static func attach(_ copy: StreamCopy, to stream: UnsafeMutablePointer<AVStream>) throws(FFmpegError) {
    guard let parameters = unsafe stream.pointee.codecpar, !copy.cover.isEmpty else { return }
    try unsafe CodecParameters.set(copy.cover, in: parameters)
    unsafe parameters.pointee.codec_type = AVMEDIA_TYPE_ATTACHMENT
    unsafe stream.pointee.disposition = 0
    let isPNG = unsafe parameters.pointee.codec_id == AV_CODEC_ID_PNG
    unsafe setTags(
      ["filename": isPNG ? "cover.png" : "cover.jpg", "mimetype": isPNG ? "image/png" : "image/jpeg"],
      in: &stream.pointee.metadata)
  }

  /// Sets tags in a fixed order, for deterministic files.
  static func setTags(_ tags: [String: String], in dictionary: inout OpaquePointer?) {
    for (key, value) in tags.sorted(by: { $0.key < $1.key }) { unsafe av_dict_set(&dictionary, key, value, 0) }
  }

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
    guard unsafe avformat_alloc_output_context2(&made, format, nil, nil) >= 0, let context = unsafe made
    else { return false }
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

  /// Adapts the parameters of pictures that were coded for Matroska.
  func adapt(_ parameters: UnsafeMutablePointer<AVCodecParameters>) {
    unsafe Self.keepCode(in: parameters, for: format)
    guard let extradata = unsafe parameters.pointee.extradata else { return }
    let count = unsafe Int(parameters.pointee.extradata_size)
    switch unsafe parameters.pointee.codec_id {
    case AV_CODEC_ID_PRORES:
      // Only Matroska stores the code there.
      unsafe parameters.pointee.extradata = nil
      unsafe parameters.pointee.extradata_size = 0
      unsafe av_free(extradata)
    case AV_CODEC_ID_HEVC where isISO:
      let record = unsafe [UInt8](UnsafeBufferPointer(start: extradata, count: count))
      guard let complete = HEVCConfiguration(record)?.complete else { return }
      unsafe UnsafeMutableRawBufferPointer(start: extradata, count: count).copyBytes(from: complete)
    default: break
    }
  }
}
