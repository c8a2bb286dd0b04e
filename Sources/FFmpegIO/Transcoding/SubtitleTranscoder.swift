internal import CFFmpeg
internal import Frames

/// Converts text subtitles to the format of another container.
@safe
final class SubtitleTranscoder: PacketTranscoder {
  // @safe: the pointers do not leave this module, and are freed with this object.
  private let codecs: CodecPair
  private let path: String
  private let packet: UnsafeMutablePointer<AVPacket>
  private(set) var errors = 0

  var encoder: UnsafeMutablePointer<AVCodecContext> { unsafe codecs.encoder }

  /// Maximum bytes of one subtitle; as in ffmpeg.
  private static let capacity: Int32 = 1 << 20

  init(_ source: StreamCopy, encoder name: String, wantsGlobalHeader: Bool, path: String) throws(FFmpegError) {
    codecs = try CodecPair(source, encoder: name)
    self.path = path
    guard let packet = unsafe av_packet_alloc() else { throw .outOfMemory }
    unsafe self.packet = unsafe packet
    let (encoder, decoder) = unsafe (codecs.encoder, codecs.decoder)
    unsafe encoder.pointee.time_base = AVRational(num: 1, den: 1000)
    // Styles go from decoder to encoder as the header of an ASS script.
    let length = unsafe Int(decoder.pointee.subtitle_header_size)
    if length > 0, let header = unsafe decoder.pointee.subtitle_header {
      guard let copy = unsafe av_mallocz(length + 1) else { throw .outOfMemory }
      unsafe copy.copyMemory(from: header, byteCount: length)
      unsafe encoder.pointee.subtitle_header = unsafe copy.assumingMemoryBound(to: UInt8.self)
      unsafe encoder.pointee.subtitle_header_size = Int32(length)
    }
    try codecs.openEncoder(wantsGlobalHeader: wantsGlobalHeader)
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe av_packet_free(&packet)
  }

  func recode(
    _ source: UnsafePointer<AVPacket>?,
    write: (UnsafeMutablePointer<AVPacket>) throws(FFmpegError) -> Void
  ) throws(FFmpegError) {
    guard let source = unsafe source, let base = unsafe known(source.pointee.pts) else { return }
    var subtitle = unsafe AVSubtitle()
    var isThere: Int32 = 0
    let mutable = unsafe UnsafeMutablePointer(mutating: source)
    if unsafe avcodec_decode_subtitle2(codecs.decoder, &subtitle, &isThere, mutable) < 0 { errors += 1 }
    guard isThere != 0 else { return }
    defer { unsafe avsubtitle_free(&subtitle) }
    // An empty event clears the screen, which the previous durations already express.
    guard unsafe subtitle.num_rects > 0 else { return }
    let own = unsafe encoder.pointee.time_base
    let sourceBase = unsafe codecs.decoder.pointee.pkt_timebase
    let start = unsafe Int64(subtitle.start_display_time)
    let spoken = unsafe Int64(subtitle.end_display_time) - start
    let stated = unsafe av_rescale_q(max(0, source.pointee.duration), sourceBase, own)
    unsafe subtitle.start_display_time = 0
    unsafe subtitle.end_display_time = UInt32(clamping: spoken > 0 && spoken < UInt32.max ? spoken : stated)
    if unsafe av_new_packet(packet, Self.capacity) < 0 { throw .outOfMemory }
    defer { unsafe av_packet_unref(packet) }
    let length = unsafe avcodec_encode_subtitle(encoder, packet.pointee.data, Self.capacity, &subtitle)
    if length < 0 { throw .failure(.encode, path, length) }
    if length == 0 { return }
    unsafe av_shrink_packet(packet, length)
    unsafe packet.pointee.pts = av_rescale_q(base, sourceBase, own) + start
    unsafe packet.pointee.dts = unsafe packet.pointee.pts
    unsafe packet.pointee.duration = unsafe Int64(subtitle.end_display_time)
    unsafe packet.pointee.flags |= AV_PKT_FLAG_KEY
    try unsafe write(packet)
  }
}
