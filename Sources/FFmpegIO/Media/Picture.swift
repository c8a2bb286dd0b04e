internal import CFFmpeg
internal import Frames

/// The one owner of an `AVFrame`.
@safe
final class Picture: @unchecked Sendable {
  // @unchecked: the frame is filled before it is handed on, then only read; its buffers count references atomically.
  // @safe: the pointer does not leave this module, and is freed with this object.
  let frame: UnsafeMutablePointer<AVFrame>
  /// The decoder marked it, or logged an error when it decoded it.
  var isDamaged = false
  /// What its packet carried beside what FFmpeg reads.
  var adaptiveToneMap: AdaptiveToneMap?

  init() throws(FFmpegError) {
    guard let frame = unsafe av_frame_alloc() else { throw .outOfMemory }
    unsafe self.frame = unsafe frame
  }

  /// Takes over a frame that was allocated elsewhere.
  init(adopting frame: UnsafeMutablePointer<AVFrame>) { unsafe self.frame = unsafe frame }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = unsafe frame
    unsafe av_frame_free(&frame)
  }

  var format: AVPixelFormat { AVPixelFormat(rawValue: unsafe frame.pointee.format) }
}
