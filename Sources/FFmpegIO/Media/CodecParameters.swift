internal import CFFmpeg

/// Owns the `AVCodecParameters` of video that no container describes.
@safe
final class CodecParameters {
  // @safe: the pointer does not leave this module, and is freed with this object.
  let pointer: UnsafeMutablePointer<AVCodecParameters>

  /// - Parameter configuration: The decoder's configuration record; empty if the packets contain everything.
  init(_ codec: AVCodecID, configuration: [UInt8] = []) throws(FFmpegError) {
    guard let pointer = unsafe avcodec_parameters_alloc() else { throw .outOfMemory }
    unsafe self.pointer = unsafe pointer
    unsafe pointer.pointee.codec_type = AVMEDIA_TYPE_VIDEO
    unsafe pointer.pointee.codec_id = codec
    if !configuration.isEmpty { try unsafe Self.set(configuration, in: pointer) }
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecParameters>? = unsafe pointer
    unsafe avcodec_parameters_free(&pointer)
  }

  /// Replaces the decoder's configuration.
  static func set(
    _ configuration: [UInt8], in parameters: UnsafeMutablePointer<AVCodecParameters>
  ) throws(FFmpegError) {
    // FFmpeg reads whole words past the end.
    let room = configuration.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let extra = unsafe av_mallocz(room) else { throw .outOfMemory }
    unsafe UnsafeMutableRawBufferPointer(start: extra, count: room).copyBytes(from: configuration)
    unsafe av_free(parameters.pointee.extradata)
    unsafe parameters.pointee.extradata = unsafe extra.assumingMemoryBound(to: UInt8.self)
    unsafe parameters.pointee.extradata_size = Int32(clamping: configuration.count)
  }
}
