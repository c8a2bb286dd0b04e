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
  /// - Parameters:
  ///   - wantsGlobalHeader: The container stores the codec's configuration outside the packets.
  ///   - path: The output, for errors.
  /// - Throws: `FFmpegError` if the decoder or encoder is missing or does not open.
  func transcoder(
    as encoding: StreamEncoding, wantsGlobalHeader: Bool, path: String
  ) throws(FFmpegError) -> any PacketTranscoder {
    kind == .subtitle
      ? try SubtitleTranscoder(self, encoder: encoding.encoder, wantsGlobalHeader: wantsGlobalHeader, path: path)
      : try AudioTranscoder(self, as: encoding, wantsGlobalHeader: wantsGlobalHeader, path: path)
  }
}

extension StreamCopy {
  /// Whether FFmpeg can decode the stream, as far as can be determined without a packet.
  public var canBeDecoded: Bool {
    var decoder = try? unsafe openDecoder()
    defer { unsafe avcodec_free_context(&decoder) }
    return unsafe decoder != nil
  }

  /// A decoder for the stream, which the caller frees.
  fileprivate func openDecoder() throws(FFmpegError) -> UnsafeMutablePointer<AVCodecContext> {
    guard let codec = unsafe avcodec_find_decoder(parameters.pointee.codec_id) else {
      throw .unsupportedCodec(name: codecName, path: words)
    }
    guard let decoder = unsafe avcodec_alloc_context3(codec) else { throw .outOfMemory }
    var (code, lines) = unsafe (avcodec_parameters_to_context(decoder, parameters), [String]())
    if let base = timeBase.native { unsafe decoder.pointee.pkt_timebase = base }
    if code >= 0 { (code, lines) = FFmpegLog.listening { unsafe avcodec_open2(decoder, codec, nil) } }
    guard code < 0 else { return unsafe decoder }
    var unused: UnsafeMutablePointer<AVCodecContext>? = unsafe decoder
    unsafe avcodec_free_context(&unused)
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
    guard let codec = unsafe avcodec_find_encoder_by_name(name), unsafe codec.pointee.type == kind else {
      throw .unknownEncoder(name: name, available: Encoders.common(for: kind))
    }
    unsafe self.codec = unsafe codec
    guard let made = unsafe avcodec_alloc_context3(codec) else { throw .outOfMemory }
    do throws(FFmpegError) {
      unsafe decoder = try unsafe source.openDecoder()
    } catch {
      var unused: UnsafeMutablePointer<AVCodecContext>? = unsafe made
      unsafe avcodec_free_context(&unused)
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
