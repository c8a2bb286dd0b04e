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
    if configuration.isEmpty { return }
    // FFmpeg reads whole words past the end.
    let room = configuration.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
    guard let extra = unsafe av_mallocz(room) else { throw .outOfMemory }
    unsafe UnsafeMutableRawBufferPointer(start: extra, count: room).copyBytes(from: configuration)
    unsafe pointer.pointee.extradata = unsafe extra.assumingMemoryBound(to: UInt8.self)
    unsafe pointer.pointee.extradata_size = Int32(clamping: configuration.count)
  }

  deinit {
    var pointer: UnsafeMutablePointer<AVCodecParameters>? = unsafe pointer
    unsafe avcodec_parameters_free(&pointer)
  }
}
