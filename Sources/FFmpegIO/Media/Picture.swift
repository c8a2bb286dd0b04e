internal import CFFmpeg
internal import Frames

/// Owns an `AVFrame`.
@safe
final class Picture: @unchecked Sendable {
  // @unchecked: the frame is filled before it is handed on, then only read; its buffers count references atomically.
  // @safe: the pointer does not leave this module, and is freed with this object.
  let frame: UnsafeMutablePointer<AVFrame>
  /// Whether the decoder flagged it, or logged an error while decoding it.
  var isDamaged = false
  /// Messages in its packet.
  var messages = PacketMetadataReader.Messages()

  init() throws(FFmpegError) {
    guard let frame = unsafe av_frame_alloc() else { throw .outOfMemory }
    unsafe self.frame = unsafe frame
  }

  /// Takes ownership of a frame.
  init(adopting frame: UnsafeMutablePointer<AVFrame>) { unsafe self.frame = unsafe frame }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = unsafe frame
    unsafe av_frame_free(&frame)
  }

  var format: AVPixelFormat { AVPixelFormat(rawValue: unsafe frame.pointee.format) }

  /// HDR metadata that FFmpeg reports, completed from the packet.
  var metadata: HDRMetadata { unsafe HDRMetadata(frame: frame).merged(over: messages.sequence) }

  /// Closed captions of CEA-608 and CEA-708: triplets of `cc_data`.
  var captions: [UInt8] {
    guard let data = unsafe av_frame_get_side_data(frame, AV_FRAME_DATA_A53_CC) else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: data.pointee.data, count: Int(data.pointee.size)))
  }

  func set(captions: [UInt8]) throws(FFmpegError) {
    unsafe av_frame_remove_side_data(frame, AV_FRAME_DATA_A53_CC)
    guard let data = unsafe av_frame_new_side_data(frame, AV_FRAME_DATA_A53_CC, captions.count) else {
      throw .outOfMemory
    }
    unsafe data.pointee.data.update(from: captions, count: captions.count)
  }
}
