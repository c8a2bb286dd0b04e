internal import CFFmpeg
internal import Frames

/// Moves parameter sets back into the packets, for containers that store none outside them.
@safe
final class PacketFilter {
  // @safe: the pointer does not leave this module, and is freed with this object.
  private let context: UnsafeMutablePointer<AVBSFContext>
  private let path: String

  /// FFmpeg's names of the filters, by codec. Other encoders' output is the same for all containers.
  private static func name(for codec: AVCodecID) -> String? {
    switch codec {
    case AV_CODEC_ID_H264: "h264_mp4toannexb"
    case AV_CODEC_ID_HEVC: "hevc_mp4toannexb"
    case AV_CODEC_ID_MPEG4: "dump_extra"
    default: nil
    }
  }

  /// nil if packets need no change.
  init?(_ parameters: UnsafePointer<AVCodecParameters>, timeBase: AVRational, path: String) throws(FFmpegError) {
    guard let name = unsafe Self.name(for: parameters.pointee.codec_id) else { return nil }
    var made: UnsafeMutablePointer<AVBSFContext>?
    guard let filter = unsafe av_bsf_get_by_name(name), unsafe av_bsf_alloc(filter, &made) >= 0,
      let context = unsafe made
    else { throw .outOfMemory }
    unsafe self.context = unsafe context
    self.path = path
    if unsafe avcodec_parameters_copy(context.pointee.par_in, parameters) < 0 { throw .outOfMemory }
    unsafe context.pointee.time_base_in = timeBase
    let (code, lines) = FFmpegLog.listening { unsafe av_bsf_init(context) }
    if code < 0 { throw .failure(.writeHeader, path, code, detail: lines) }
  }

  deinit {
    var context: UnsafeMutablePointer<AVBSFContext>? = unsafe context
    unsafe av_bsf_free(&context)
  }

  /// Parameters of the filtered packets.
  var parameters: UnsafePointer<AVCodecParameters>? { unsafe UnsafePointer(context.pointee.par_out) }

  /// Replaces the contents of a packet.
  func filter(_ packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) {
    let (code, lines) = FFmpegLog.listening {
      let sent = unsafe av_bsf_send_packet(context, packet)
      return unsafe sent < 0 ? sent : av_bsf_receive_packet(context, packet)
    }
    if code < 0 { throw .failure(.write, path, code, detail: lines) }
  }
}
