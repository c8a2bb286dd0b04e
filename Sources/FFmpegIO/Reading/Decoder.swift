internal import Bitstreams
internal import CFFmpeg
internal import Frames
internal import Synchronization

/// Owns an `AVCodecContext` for decoding.
@safe
final class Decoder {
  // @safe: the pointer does not leave this module, and is freed with this object.
  private let context: UnsafeMutablePointer<AVCodecContext>
  /// The context points to it, so it is freed later.
  private let errors = DecoderErrors()
  /// The matrix of the stream, which the decoder may not determine.
  private let matrix: AVColorSpace
  /// Number of packets sent.
  private var sent: Int64 = 0

  /// The result of requesting a picture.
  enum Output {
    case picture(Picture)
    case needsInput
    case ended
    /// A damaged picture; the next one may be intact.
    case damaged
  }

  convenience init(
    _ stream: UnsafeMutablePointer<AVStream>, threads: Int, maxPixels: Int, path: String
  ) throws(FFmpegError) {
    guard let parameters = unsafe stream.pointee.codecpar else { throw .noVideoStream(path: path) }
    try unsafe self.init(
      parameters, decoder: Self.decoderOfAlpha(stream), timeBase: stream.pointee.time_base, threads: threads,
      maxPixels: maxPixels, path: path)
  }

  /// A decoder for WebM's alpha, stored beside the packets, which only libvpx supports; nil: no alpha.
  private static func decoderOfAlpha(_ stream: UnsafeMutablePointer<AVStream>) -> UnsafePointer<AVCodec>? {
    guard unsafe entries(stream.pointee.metadata)["alpha_mode"] == "1" else { return nil }
    let names = [AV_CODEC_ID_VP8.rawValue: "libvpx", AV_CODEC_ID_VP9.rawValue: "libvpx-vp9"]
    guard let id = unsafe stream.pointee.codecpar?.pointee.codec_id, let name = names[id.rawValue] else { return nil }
    return unsafe avcodec_find_decoder_by_name(name)
  }

  /// - Parameter isLowDelay: Pictures do not wait for later packets, unless the stream reorders them.
  init(
    _ parameters: UnsafePointer<AVCodecParameters>, decoder: UnsafePointer<AVCodec>? = nil, timeBase: AVRational,
    threads: Int, maxPixels: Int, isLowDelay: Bool = false, path: String
  ) throws(FFmpegError) {
    let id = unsafe parameters.pointee.codec_id
    guard let codec = unsafe decoder ?? avcodec_find_decoder(id)
    else { throw .unsupportedCodec(name: unsafe text(avcodec_get_name(id)) ?? "unknown", path: path) }
    guard let context = unsafe avcodec_alloc_context3(codec) else { throw .outOfMemory }
    unsafe self.context = unsafe context
    matrix = unsafe parameters.pointee.color_space
    let copied = unsafe avcodec_parameters_to_context(context, parameters)
    if copied < 0 { throw .failure(.openDecoder, path, copied) }
    if id.isPNG, let data = unsafe context.pointee.extradata,
      let rest = unsafe PNGChunks.bounded(data, count: context.pointee.extradata_size)
    {
      unsafe UnsafeMutableRawBufferPointer(start: data, count: rest.count).copyBytes(from: rest)
      unsafe context.pointee.extradata_size = Int32(rest.count)
    }
    unsafe context.pointee.pkt_timebase = timeBase
    unsafe context.pointee.thread_count = Int32(clamping: threads)
    // FFmpeg's APNG decoder threads wait for the previous frame, forever if it is truncated. For low delay: frame
    // threads add a frame of delay per thread.
    if id == AV_CODEC_ID_APNG || isLowDelay { unsafe context.pointee.thread_type = FF_THREAD_SLICE }
    if isLowDelay { unsafe context.pointee.flags |= AV_CODEC_FLAG_LOW_DELAY }
    unsafe context.pointee.max_pixels = Int64(maxPixels)
    unsafe context.pointee.opaque = unsafe Unmanaged.passUnretained(errors).toOpaque()
    // Allows crops on the left at any sample, not only at aligned ones.
    unsafe context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
    let (code, lines) = FFmpegLog.listening { unsafe avcodec_open2(context, codec, nil) }
    if code < 0 { throw .failure(.openDecoder, path, code, detail: lines) }
  }

  deinit { unsafe release(context, avcodec_free_context) }

  /// Number of the packet that is sent next; `hr_frame_packet` has the number of a picture's packet.
  var nextPacket: Int64 { sent + 1 }

  /// Sends a packet to the decoder; nil at the end of the stream.
  /// - Returns: false if the packet was damaged.
  func send(_ packet: UnsafePointer<AVPacket>?) -> Bool {
    sent += 1
    unsafe hr_decoder_set_packet(context, sent)
    guard unsafe context.pointee.codec_id.isPNG, let packet = unsafe packet, let data = unsafe packet.pointee.data,
      let rest = unsafe PNGChunks.bounded(data, count: packet.pointee.size)
    else { return unsafe avcodec_send_packet(context, packet) >= 0 }
    var shorter = unsafe av_packet_alloc()
    defer { unsafe av_packet_free(&shorter) }
    guard let shorter = unsafe shorter, unsafe (try? fill(shorter, with: rest.span.bytes)) != nil else { return false }
    return unsafe av_packet_copy_props(shorter, packet) >= 0 && avcodec_send_packet(context, shorter) >= 0
  }

  func receive() throws(FFmpegError) -> Output {
    let picture = try Picture()
    let code = unsafe avcodec_receive_frame(context, picture.frame)
    if code >= 0 {
      // JPEG is full range, which FFmpeg reports for all but grey pictures. Source: JFIF 1.02 (1992), "Standards".
      if unsafe context.pointee.codec_id == AV_CODEC_ID_MJPEG
        && picture.frame.pointee.color_range == AVCOL_RANGE_UNSPECIFIED
      {
        unsafe picture.frame.pointee.color_range = AVCOL_RANGE_JPEG
      }
      if matrix != AVCOL_SPC_UNSPECIFIED,
        unsafe picture.frame.pointee.colorspace == ContainerColor.constantMatrix(context.pointee.codec_id)
      {
        unsafe picture.frame.pointee.colorspace = matrix
      }
      let hadErrors = unsafe errors.take(hr_frame_packet(picture.frame))
      picture.isDamaged = unsafe hadErrors || hr_frame_is_damaged(picture.frame) != 0
      return .picture(picture)
    }
    if code == hr_error_again() { return .needsInput }
    if code == hr_error_eof() { return .ended }
    if code == hr_error_no_memory() { throw .outOfMemory }
    return .damaged
  }

  /// Resets the decoder for a seek.
  func flush() {
    unsafe avcodec_flush_buffers(context)
    errors.forget(sent: sent)
  }
}

/// The decoders of this FFmpeg.
public enum Decoders {
  /// FFmpeg's name of the decoder for a codec, by FFmpeg's name of the codec; nil: none.
  public static func decoder(for codec: String) -> String? {
    FFmpegLog.prepare()
    guard let descriptor = unsafe avcodec_descriptor_get_by_name(codec) else { return nil }
    return unsafe avcodec_find_decoder(descriptor.pointee.id).flatMap { unsafe text($0.pointee.name) }
  }
}

/// Tracks the packets that a decoder logged errors for. FFmpeg only logs most damage, including missing references, and
/// returns the picture as if it were intact.
final class DecoderErrors: Sendable {
  /// Maximum number of packets that wait for their picture. More than a decoder buffers belong to pictures that will
  /// never be output.
  private static let capacity = 1024

  private struct State {
    var packets: Set<Int64> = []
    /// Packets sent before decoding began.
    var begin: Int64 = 0
  }

  private let state = Mutex(State())

  /// Maximum number of reference fields in H.264 (Rec. ITU-T H.264 (08/2021), A.3.1).
  private static let maximumReferences: Int64 = 32
  /// FFmpeg's message for an instruction to drop a missing picture.
  private static let unknownReference = "mmco: unref short failure"

  /// Records an error logged while packet `number` was decoded; called on any thread.
  func note(_ number: Int64, _ message: String) {
    state.withLock { state in
      // The stream may drop references that precede the access point where decoding began.
      if message.hasPrefix(Self.unknownReference), number - state.begin <= Self.maximumReferences { return }
      if state.packets.count >= Self.capacity { state.packets.removeAll() }
      state.packets.insert(number)
    }
  }

  /// Whether there was an error in a picture's packet; clears it.
  func take(_ number: Int64) -> Bool {
    state.withLock { state in
      let wasAnyPacket = state.packets.remove(hr_no_packet()) != nil
      return state.packets.remove(number) != nil || wasAnyPacket
    }
  }

  /// Resets the state for a seek.
  func forget(sent: Int64) { state.withLock { $0 = State(begin: sent) } }
}
