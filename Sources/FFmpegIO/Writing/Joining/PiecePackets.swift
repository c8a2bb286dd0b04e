internal import Bitstreams
internal import CFFmpeg
internal import Frames

/// The packets of a piece of a film: a Matroska file with one stream of pictures.
@safe
final class PiecePackets {
  // @safe: the packet and the stream do not leave this module; they are freed with this object and its demuxer.
  let stream: StreamCopy
  let packet: UnsafeMutablePointer<AVPacket>
  private let demuxer: Demuxer
  private let syntax: PacketSyntax?

  init(_ path: String) throws(FFmpegError) {
    demuxer = try Demuxer(Location(input: path, ProtocolPolicy()), format: "matroska")
    let video = try unsafe demuxer.videoStream(nil)
    guard unsafe demuxer.streams.count == 1 else { throw .unfitPiece(path: path, what: "has more than one stream") }
    stream = try unsafe StreamCopy(video)
    syntax = unsafe PacketSyntax(stream.parameters.pointee)
    guard let packet = unsafe av_packet_alloc() else { throw .outOfMemory }
    unsafe self.packet = unsafe packet
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe av_packet_free(&packet)
  }

  /// Reads the next packet in decoding order.
  /// - Returns: false at the end.
  func read() throws(FFmpegError) -> Bool {
    unsafe av_packet_unref(packet)
    let (code, lines) = FFmpegLog.listening { unsafe av_read_frame(demuxer.context, packet) }
    if code >= 0 {
      if unsafe isDisposable(packet.pointee) { unsafe packet.pointee.flags |= AV_PKT_FLAG_DISPOSABLE }
      return true
    }
    if code == hr_error_eof() { return false }
    throw .failure(.read, demuxer.location.name, code, detail: lines)
  }

  /// Whether no other picture depends on this one, which MP4 states and Matroska does not. In HEVC, such pictures have
  /// an even type below 16. Source: ISO/IEC 23008-2, table 7-1.
  private func isDisposable(_ packet: AVPacket) -> Bool {
    guard case .hevc(let framing) = syntax, let base = unsafe packet.data, unsafe packet.size > 0 else { return false }
    // The packet's bytes outlive this call, which retains none of them.
    let bytes = unsafe Span(_unsafeStart: base, count: Int(unsafe packet.size))
    let header = SEIMessages.Header.hevc
    var position = 0
    while let unit = NALUnits.next(in: bytes, from: &position, framing) {
      guard unit.count > header.length else { continue }
      let type = header.type(bytes[unit.lowerBound])
      if header.isPicture(type) { return type < 16 && type % 2 == 0 }
    }
    return false
  }
}
