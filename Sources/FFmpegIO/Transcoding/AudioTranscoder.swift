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

  deinit { unsafe release(packet, av_packet_free) }

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

/// Converts decoded audio to an encoder's sample format, and collects the samples.
@safe
final class SampleConverter {
  // @safe: the pointers do not leave this module, and are freed with this object.
  private let form: AudioForm
  private let path: String
  private let samples: OpaquePointer
  private var resampler: OpaquePointer?
  /// Source format of `resampler`.
  private var source: (format: AVSampleFormat, rate: Int32)?
  /// A copy, because a layout can own memory.
  private var sourceLayout = unsafe AVChannelLayout()

  init(to form: AudioForm, path: String) throws(FFmpegError) {
    (self.form, self.path) = (form, path)
    guard let samples = unsafe av_audio_fifo_alloc(form.format, form.layout.nb_channels, 4096)
    else { throw .outOfMemory }
    unsafe self.samples = unsafe samples
  }

  deinit {
    unsafe av_audio_fifo_free(samples)
    unsafe swr_free(&resampler)
    unsafe av_channel_layout_uninit(&sourceLayout)
  }

  /// Number of pending samples per channel.
  var count: Int32 { unsafe av_audio_fifo_size(samples) }

  /// Appends decoded samples; nil: the samples that the resampler holds back.
  func append(_ sound: Picture?) throws(FFmpegError) {
    if let sound { try prepare(for: sound) }
    guard let resampler = unsafe resampler else { return }
    let input = sound.map { unsafe $0.frame.pointee.nb_samples } ?? 0
    let room = unsafe swr_get_out_samples(resampler, input)
    guard room > 0 else { return }
    let output = try empty(room)
    let planes = unsafe UnsafeMutableRawPointer(sound.flatMap { unsafe hr_frame_samples($0.frame) })?
      .assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
    let made = unsafe swr_convert(resampler, hr_frame_samples(output.frame), room, planes, input)
    if made < 0 { throw .failure(.convert, path, made) }
    if unsafe made > 0 && av_audio_fifo_write(samples, Self.data(output), made) < made { throw .outOfMemory }
  }

  /// Takes samples out.
  /// - Parameters:
  ///   - count: At most `self.count`.
  ///   - length: Length of the result, at least `count`; the rest is silence.
  func take(_ count: Int32, paddedTo length: Int32) throws(FFmpegError) -> Picture {
    let sound = try empty(length)
    if unsafe av_audio_fifo_read(samples, Self.data(sound), count) < count { throw .outOfMemory }
    if length > count {
      unsafe av_samples_set_silence(
        hr_frame_samples(sound.frame), count, length - count, form.layout.nb_channels, form.format)
    }
    return sound
  }

  private static func data(_ sound: Picture) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
    unsafe UnsafeMutableRawPointer(hr_frame_samples(sound.frame))?
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }

  private func empty(_ count: Int32) throws(FFmpegError) -> Picture {
    let sound = try Picture()
    let frame = unsafe sound.frame
    unsafe frame.pointee.format = form.format.rawValue
    unsafe frame.pointee.sample_rate = form.rate
    unsafe frame.pointee.nb_samples = count
    unsafe frame.pointee.ch_layout = unsafe form.layout
    if unsafe av_frame_get_buffer(frame, 0) < 0 { throw .outOfMemory }
    return sound
  }

  /// Creates a resampler when the source format changes.
  private func prepare(for sound: Picture) throws(FFmpegError) {
    let frame = unsafe sound.frame
    let format = unsafe AVSampleFormat(rawValue: frame.pointee.format)
    let (rate, layout) = unsafe (frame.pointee.sample_rate, frame.pointee.ch_layout)
    if let source, unsafe resampler != nil, source == (format, rate), unsafe layout.isSame(as: sourceLayout) { return }
    try append(nil)
    unsafe swr_free(&resampler)
    var (from, to) = unsafe (layout, form.layout)
    let code = unsafe swr_alloc_set_opts2(&resampler, &to, form.format, form.rate, &from, format, rate, 0, nil)
    if code < 0 { throw .failure(.convert, path, code) }
    setMix()
    let begun = unsafe swr_init(resampler)
    if begun < 0 { throw .failure(.convert, path, begun) }
    // This frees the previous contents.
    if unsafe av_channel_layout_copy(&sourceLayout, &from) < 0 { throw .outOfMemory }
    source = (format, rate)
  }

  /// Centre and surrounds 3 dB down, without low-frequency effects (ITU-R BS.775-4, annex 4, table 2). By default,
  /// FFmpeg attenuates the sum against clipping only for integer samples.
  private func setMix() {
    let context = unsafe UnsafeMutableRawPointer(resampler)
    unsafe av_opt_set_double(context, "center_mix_level", 0.5.squareRoot(), 0)
    unsafe av_opt_set_double(context, "surround_mix_level", 0.5.squareRoot(), 0)
    unsafe av_opt_set_double(context, "lfe_mix_level", 0, 0)
    unsafe av_opt_set_double(context, "rematrix_maxval", 1, 0)
  }
}
