internal import CFFmpeg
internal import Frames
internal import Media

/// Decodes audio and encodes it with another codec; sample rate and channels are kept if the encoder supports them.
@safe
final class AudioTranscoder: PacketTranscoder {
  // @safe: the pointers do not leave this module, and are freed with this object.
  private let codecs: CodecPair
  private let path: String
  private let decoded: Picture
  private let packet: UnsafeMutablePointer<AVPacket>
  private let samples: SampleConverter
  private(set) var errors = 0
  /// Time of the first sample in `samples`, in units of 1 / sample rate.
  private var position: Int64?

  var encoder: UnsafeMutablePointer<AVCodecContext> { unsafe codecs.encoder }

  /// Bit rate per channel for lossy encoders whose default does not depend on the number of channels.
  private static let bitRates: [String: Int64] = [
    "aac": 96_000, "libopus": 64_000, "opus": 64_000, "libvorbis": 96_000, "libmp3lame": 96_000,
  ]
  /// Fraction of a second from which a late packet is a gap rather than a rounding error.
  private static let gap = 0.05

  init(
    _ source: StreamCopy, as encoding: StreamEncoding, wantsGlobalHeader: Bool, path: String
  ) throws(FFmpegError) {
    codecs = try CodecPair(source, encoder: encoding.encoder)
    self.path = path
    decoded = try Picture()
    let form = unsafe AudioForm(codecs.codec, near: codecs.decoder, mix: encoding.mix)
    samples = try SampleConverter(to: form, path: path)
    guard let packet = unsafe av_packet_alloc() else { throw .outOfMemory }
    unsafe self.packet = unsafe packet
    let encoder = unsafe codecs.encoder
    unsafe encoder.pointee.sample_fmt = form.format
    unsafe encoder.pointee.sample_rate = form.rate
    unsafe encoder.pointee.ch_layout = unsafe form.layout
    unsafe encoder.pointee.time_base = AVRational(num: 1, den: form.rate)
    if let rate = encoding.bitRate {
      unsafe encoder.pointee.bit_rate = Int64(rate)
    } else if let rate = Self.bitRates[encoding.encoder] {
      unsafe encoder.pointee.bit_rate = unsafe min(rate * Int64(form.layout.nb_channels), 512_000)
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
    // A packet that cannot be decoded leaves a gap.
    if unsafe avcodec_send_packet(codecs.decoder, source) < 0 { errors += 1 }
    while true {
      let code = unsafe avcodec_receive_frame(codecs.decoder, decoded.frame)
      if code == hr_error_again() || code == hr_error_eof() { break }
      if code < 0 {
        errors += 1
        break
      }
      defer { unsafe av_frame_unref(decoded.frame) }
      unsafe try take(decoded, write: write)
    }
    guard unsafe source == nil else { return }
    try samples.append(nil)
    unsafe try encode(upTo: .end, write: write)
    _ = unsafe avcodec_send_frame(encoder, nil)
    unsafe try drain(write)
  }

  private func take(
    _ sound: Picture, write: (UnsafeMutablePointer<AVPacket>) throws(FFmpegError) -> Void
  ) throws(FFmpegError) {
    let rate = unsafe encoder.pointee.sample_rate
    let time = unsafe known(sound.frame.pointee.best_effort_timestamp).map {
      unsafe av_rescale_q($0, codecs.decoder.pointee.pkt_timebase, AVRational(num: 1, den: rate))
    }
    let end = position.map { $0 &+ Int64(samples.count) }
    if let time, let end, Double(time.subtractingReportingOverflow(end).partialValue) > Self.gap * Double(rate) {
      unsafe try encode(upTo: .gap, write: write)
      position = time
    } else if position == nil {
      position = time ?? 0
    }
    try samples.append(sound)
    unsafe try encode(upTo: .more, write: write)
  }

  /// What follows the pending samples.
  private enum Following {
    /// More samples: only whole frames are encoded.
    case more
    /// A gap: the last frame is padded with silence.
    case gap
    /// The end: the last frame is short where the codec allows it.
    case end
  }

  /// Encodes pending samples.
  private func encode(
    upTo following: Following, write: (UnsafeMutablePointer<AVPacket>) throws(FFmpegError) -> Void
  ) throws(FFmpegError) {
    let fixed = unsafe encoder.pointee.frame_size
    let endsShort = unsafe codecs.codec.pointee.capabilities & AV_CODEC_CAP_SMALL_LAST_FRAME != 0
    while true {
      let waiting = samples.count
      guard waiting > 0, following != .more || waiting >= max(fixed, 1) else { return }
      let count = fixed > 0 ? min(fixed, waiting) : waiting
      let length = following == .end && endsShort ? count : max(fixed, count)
      let sound = try samples.take(count, paddedTo: length)
      unsafe sound.frame.pointee.pts = position ?? 0
      position = (position ?? 0) &+ Int64(count)
      let (code, lines) = FFmpegLog.listening { unsafe avcodec_send_frame(encoder, sound.frame) }
      if code < 0 { throw .failure(.encode, path, code, detail: lines) }
      unsafe try drain(write)
    }
  }

  private func drain(_ write: (UnsafeMutablePointer<AVPacket>) throws(FFmpegError) -> Void) throws(FFmpegError) {
    while unsafe avcodec_receive_packet(encoder, packet) >= 0 {
      defer { unsafe av_packet_unref(packet) }
      try unsafe write(packet)
    }
  }
}
