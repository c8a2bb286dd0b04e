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

  /// Converts a cover stream to an attachment, as Matroska requires and FFmpeg's muxer does not support.
  /// Source: Matroska media container specifications, "Cover art".
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
}
