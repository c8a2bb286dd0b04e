internal import CFFmpeg

/// Owns a reusable `AVPacket`.
@safe
final class PacketBuffer {
  // @safe: the pointer does not leave this module, and is freed with this object.
  let pointer: UnsafeMutablePointer<AVPacket>

  init() throws(FFmpegError) {
    guard let pointer = unsafe av_packet_alloc() else { throw .outOfMemory }
    unsafe self.pointer = unsafe pointer
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe pointer
    unsafe av_packet_free(&packet)
  }
}
