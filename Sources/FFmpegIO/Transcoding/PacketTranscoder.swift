internal import CFFmpeg
internal import Frames
internal import Media

/// Converts packets to another codec, if a container does not support the original.
protocol PacketTranscoder: AnyObject {
  /// The open encoder, with the parameters and time base of the output stream.
  var encoder: UnsafeMutablePointer<AVCodecContext> { get }

  /// Packets that could not be decoded.
  var errors: Int { get }

  /// Takes the next packet of the source; nil at the end.
  /// - Parameter write: Called with each finished packet, in the time base of the encoder; the packet is reused
  ///   afterwards.
  func recode(
    _ packet: UnsafePointer<AVPacket>?,
    write: (UnsafeMutablePointer<AVPacket>) throws(FFmpegError) -> Void
  ) throws(FFmpegError)
}

extension StreamCopy {
  /// A transcoder for the stream's packets.
  /// - Throws: `FFmpegError` if the decoder or encoder is missing or does not open.
  func transcoder(
    as encoding: StreamEncoding, wantsGlobalHeader: Bool, path: String
  ) throws(FFmpegError) -> any PacketTranscoder {
    kind == .subtitle
      ? try SubtitleTranscoder(self, encoder: encoding.encoder, wantsGlobalHeader: wantsGlobalHeader, path: path)
      : try AudioTranscoder(self, as: encoding, wantsGlobalHeader: wantsGlobalHeader, path: path)
  }

  /// Whether FFmpeg can decode the stream, as far as can be determined without a packet.
  public var canBeDecoded: Bool {
    var decoder = try? unsafe openDecoder()
    defer { unsafe avcodec_free_context(&decoder) }
    return unsafe decoder != nil
  }

  /// A decoder for the stream, which the caller frees.
  fileprivate func openDecoder() throws(FFmpegError) -> UnsafeMutablePointer<AVCodecContext> {
    guard let codec = unsafe avcodec_find_decoder(parameters.pointee.codec_id)
    else { throw .unsupportedCodec(name: codecName, path: words) }
    guard let decoder = unsafe avcodec_alloc_context3(codec) else { throw .outOfMemory }
    var (code, lines) = unsafe (avcodec_parameters_to_context(decoder, parameters), [String]())
    if let base = timeBase.native { unsafe decoder.pointee.pkt_timebase = base }
    if code >= 0 { (code, lines) = FFmpegLog.listening { unsafe avcodec_open2(decoder, codec, nil) } }
    guard code < 0 else { return unsafe decoder }
    unsafe release(decoder, avcodec_free_context)
    throw .failure(.openDecoder, words, code, detail: lines)
  }
}

/// The two `AVCodecContext`s of a transcoder.
@safe
final class CodecPair {
  // @safe: the pointers do not leave this module, and are freed with this object.
  let decoder: UnsafeMutablePointer<AVCodecContext>
  let encoder: UnsafeMutablePointer<AVCodecContext>
  let codec: UnsafePointer<AVCodec>

  /// Opens the decoder; the encoder is only created.
  /// - Throws: `FFmpegError.unknownEncoder` if no encoder for this kind of stream has this name.
  init(_ source: StreamCopy, encoder name: String) throws(FFmpegError) {
    let kind = unsafe source.parameters.pointee.codec_type
    guard let codec = unsafe avcodec_find_encoder_by_name(name), unsafe codec.pointee.type == kind
    else { throw .unknownEncoder(name: name, available: Encoders.common(for: kind)) }
    unsafe self.codec = unsafe codec
    guard let made = unsafe avcodec_alloc_context3(codec) else { throw .outOfMemory }
    do throws(FFmpegError) {
      unsafe decoder = try unsafe source.openDecoder()
    } catch {
      unsafe release(made, avcodec_free_context)
      throw error
    }
    unsafe encoder = unsafe made
  }

  /// Opens the configured encoder.
  func openEncoder(wantsGlobalHeader: Bool) throws(FFmpegError) {
    if wantsGlobalHeader { unsafe encoder.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
    let (code, lines) = FFmpegLog.listening { unsafe avcodec_open2(encoder, codec, nil) }
    guard code < 0 else { return }
    let name = unsafe text(codec.pointee.name) ?? "unknown"
    throw .rejection(of: name, name, code, lines, hasMemory: SystemMemory.isLeft)
  }

  deinit {
    var decoder: UnsafeMutablePointer<AVCodecContext>? = unsafe decoder
    var encoder: UnsafeMutablePointer<AVCodecContext>? = unsafe encoder
    unsafe avcodec_free_context(&decoder)
    unsafe avcodec_free_context(&encoder)
  }
}

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

  deinit { unsafe release(packet, av_packet_free) }

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
