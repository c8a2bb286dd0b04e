internal import CFFmpeg

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
    guard let samples = unsafe av_audio_fifo_alloc(form.format, form.layout.nb_channels, 4096) else {
      throw .outOfMemory
    }
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
