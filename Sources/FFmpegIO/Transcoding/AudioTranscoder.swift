internal import CFFmpeg
internal import Frames

/// Decodes audio and encodes it with another codec; sample rate and channels are kept if the encoder supports them.
@safe
final class AudioTranscoder: PacketTranscoder {
  // @safe: the pointers do not leave this module, and are freed with this object.
  private let codecs: CodecPair
  private let path: String
  private let decoded: Picture
  private let packet: UnsafeMutablePointer<AVPacket>
  private let samples: OpaquePointer
  private var converter: OpaquePointer?
  /// The source format of `converter`.
  private var sourceFormat = AVSampleFormat.none
  private var sourceRate: Int32 = 0
  private var sourceChannels: Int32 = 0
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

  init(_ source: StreamCopy, encoder name: String, wantsGlobalHeader: Bool, path: String) throws(FFmpegError) {
    codecs = try CodecPair(source, encoder: name, path: path)
    self.path = path
    decoded = try Picture()
    let encoder = unsafe codecs.encoder
    let (codec, decoder) = unsafe (codecs.codec, codecs.decoder)
    unsafe encoder.pointee.sample_fmt = unsafe Self.format(codec, near: decoder.pointee.sample_fmt)
    unsafe encoder.pointee.sample_rate = unsafe Self.rate(codec, near: decoder.pointee.sample_rate)
    if unsafe Self.setLayout(encoder, codec, like: &decoder.pointee.ch_layout) < 0 { throw .outOfMemory }
    unsafe encoder.pointee.time_base = unsafe AVRational(num: 1, den: encoder.pointee.sample_rate)
    let channels = unsafe encoder.pointee.ch_layout.nb_channels
    if let rate = Self.bitRates[name] { unsafe encoder.pointee.bit_rate = min(rate * Int64(channels), 512_000) }
    guard let packet = unsafe av_packet_alloc(),
      let samples = unsafe av_audio_fifo_alloc(encoder.pointee.sample_fmt, channels, 4096)
    else { throw .outOfMemory }
    unsafe self.packet = unsafe packet
    unsafe self.samples = unsafe samples
    try codecs.openEncoder(wantsGlobalHeader: wantsGlobalHeader)
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe packet
    unsafe av_packet_free(&packet)
    unsafe av_audio_fifo_free(samples)
    unsafe swr_free(&converter)
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
    try convert(nil)
    unsafe try encode(isLast: true, write: write)
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
    let end = position.map { unsafe $0 + Int64(av_audio_fifo_size(samples)) }
    if let time, let end, Double(time.subtractingReportingOverflow(end).partialValue) > Self.gap * Double(rate) {
      // The frame before a gap is padded with silence.
      unsafe try encode(isLast: true, write: write)
      position = time
    } else if position == nil {
      position = time ?? 0
    }
    try convert(sound)
    unsafe try encode(isLast: false, write: write)
  }

  /// Appends decoded samples in the encoder's format; nil flushes the converter.
  private func convert(_ sound: Picture?) throws(FFmpegError) {
    if let sound { try prepareConverter(for: sound) }
    guard let converter = unsafe converter else { return }
    let input = sound.map { unsafe $0.frame.pointee.nb_samples } ?? 0
    let room = unsafe swr_get_out_samples(converter, input)
    guard room > 0 else { return }
    let output = try emptyAudio(room)
    let planes = unsafe UnsafeMutableRawPointer(sound.flatMap { unsafe hr_frame_samples($0.frame) })?
      .assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
    let made = unsafe swr_convert(converter, hr_frame_samples(output.frame), room, planes, input)
    if made < 0 { throw .failure(.convert, path, made) }
    let data = unsafe UnsafeMutableRawPointer(hr_frame_samples(output.frame))?
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    if unsafe made > 0 && av_audio_fifo_write(samples, data, made) < made { throw .outOfMemory }
  }

  /// An empty audio frame for a number of samples in the encoder's format.
  private func emptyAudio(_ count: Int32) throws(FFmpegError) -> Picture {
    let sound = try Picture()
    let frame = unsafe sound.frame
    unsafe frame.pointee.format = unsafe encoder.pointee.sample_fmt.rawValue
    unsafe frame.pointee.sample_rate = unsafe encoder.pointee.sample_rate
    unsafe frame.pointee.nb_samples = count
    if unsafe av_channel_layout_copy(&frame.pointee.ch_layout, &encoder.pointee.ch_layout) < 0
      || av_frame_get_buffer(frame, 0) < 0
    {
      throw .outOfMemory
    }
    return sound
  }

  private func prepareConverter(for sound: Picture) throws(FFmpegError) {
    let frame = unsafe sound.frame
    let format = unsafe AVSampleFormat(rawValue: frame.pointee.format)
    let (rate, channels) = unsafe (frame.pointee.sample_rate, frame.pointee.ch_layout.nb_channels)
    if unsafe converter != nil, (format, rate, channels) == (sourceFormat, sourceRate, sourceChannels) { return }
    try convert(nil)
    unsafe swr_free(&converter)
    let code = unsafe swr_alloc_set_opts2(
      &converter, &encoder.pointee.ch_layout, encoder.pointee.sample_fmt, encoder.pointee.sample_rate,
      &frame.pointee.ch_layout, format, rate, 0, nil)
    if code < 0 { throw .failure(.convert, path, code) }
    let begun = unsafe swr_init(converter)
    if begun < 0 { throw .failure(.convert, path, begun) }
    (sourceFormat, sourceRate, sourceChannels) = (format, rate, channels)
  }

  /// Encodes complete frames of pending samples; the last frame is padded with silence.
  private func encode(
    isLast: Bool, write: (UnsafeMutablePointer<AVPacket>) throws(FFmpegError) -> Void
  ) throws(FFmpegError) {
    let fixed = unsafe encoder.pointee.frame_size
    while true {
      let waiting = unsafe av_audio_fifo_size(samples)
      guard waiting > 0, isLast || waiting >= max(fixed, 1) else { return }
      let count = fixed > 0 ? min(fixed, waiting) : waiting
      let sound = try emptyAudio(fixed > 0 ? fixed : count)
      let frame = unsafe sound.frame
      let data = unsafe UnsafeMutableRawPointer(hr_frame_samples(frame))?
        .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
      if unsafe av_audio_fifo_read(samples, data, count) < count { throw .outOfMemory }
      if fixed > count {
        unsafe av_samples_set_silence(
          hr_frame_samples(frame), count, fixed - count, encoder.pointee.ch_layout.nb_channels,
          encoder.pointee.sample_fmt)
      }
      unsafe frame.pointee.pts = position ?? 0
      position = (position ?? 0) + Int64(count)
      let (code, lines) = FFmpegLog.listening { unsafe avcodec_send_frame(encoder, frame) }
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

  /// The encoder's sample format closest to the wanted one; its first if neither the packed nor the planar variant is
  /// supported.
  private static func format(_ codec: UnsafePointer<AVCodec>, near wanted: AVSampleFormat) -> AVSampleFormat {
    guard let formats = unsafe hr_encoder_sample_formats(codec) else { return wanted }
    var index = 0
    while unsafe formats[index] != AV_SAMPLE_FMT_NONE {
      if av_get_packed_sample_fmt(unsafe formats[index]) == av_get_packed_sample_fmt(wanted) {
        return unsafe formats[index]
      }
      index += 1
    }
    return unsafe formats[0]
  }

  /// The encoder's lowest sample rate that is at least the wanted one, or its highest.
  private static func rate(_ codec: UnsafePointer<AVCodec>, near wanted: Int32) -> Int32 {
    guard let rates = unsafe hr_encoder_sample_rates(codec) else { return wanted }
    var all: [Int32] = []
    while unsafe rates[all.count] != 0 { all.append(unsafe rates[all.count]) }
    return all.filter { $0 >= wanted }.min() ?? all.max() ?? wanted
  }

  /// The source's channel layout if supported; otherwise the default one with as many channels; otherwise stereo.
  private static func setLayout(
    _ encoder: UnsafeMutablePointer<AVCodecContext>, _ codec: UnsafePointer<AVCodec>,
    like wanted: UnsafePointer<AVChannelLayout>
  ) -> Int32 {
    var layout = unsafe AVChannelLayout()
    let isNamed = unsafe wanted.pointee.order != AV_CHANNEL_ORDER_UNSPEC
    if isNamed {
      let code = unsafe av_channel_layout_copy(&layout, wanted)
      if code < 0 { return code }
    } else {
      unsafe av_channel_layout_default(&layout, wanted.pointee.nb_channels)
    }
    // libopus supports only one order for each number of channels.
    if unsafe text(codec.pointee.name) == "libopus", unsafe (1...8).contains(layout.nb_channels) {
      let channels = unsafe layout.nb_channels
      unsafe av_channel_layout_uninit(&layout)
      unsafe av_channel_layout_default(&layout, channels)
    }
    if let layouts = unsafe hr_encoder_channel_layouts(codec) {
      var (isThere, sameCount, index) = (false, -1, 0)
      while unsafe layouts[index].nb_channels != 0 {
        if unsafe av_channel_layout_compare(layouts + index, &layout) == 0 { isThere = true }
        if unsafe layouts[index].nb_channels == layout.nb_channels { sameCount = index }
        index += 1
      }
      if !isThere {
        unsafe av_channel_layout_uninit(&layout)
        if sameCount >= 0 { return unsafe av_channel_layout_copy(&encoder.pointee.ch_layout, layouts + sameCount) }
        unsafe av_channel_layout_default(&layout, 2)
      }
    }
    unsafe encoder.pointee.ch_layout = layout
    return 0
  }
}

extension AVSampleFormat {
  fileprivate static let none = AV_SAMPLE_FMT_NONE
}
