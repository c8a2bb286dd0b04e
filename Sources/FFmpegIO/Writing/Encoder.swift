internal import Bitstreams
internal import CFFmpeg
internal import Foundation
internal import Frames
internal import Media
internal import Threads

/// Owns an `AVCodecContext` for encoding.
@safe
final class Encoder {
  // @safe: the pointer does not leave this module, and is freed with this object.
  let context: UnsafeMutablePointer<AVCodecContext>
  let name: String
  /// Format of the pictures that are sent.
  let format: AVPixelFormat
  /// Conversion for a hardware encoder; nil: pictures are encoded directly.
  private let hardware: HardwareInput?
  private let path: String
  /// Metadata to insert into packets because the encoder does not write it.
  private let inserted: AV1Metadata?
  private var isOpen = false
  private var hasPictures = false
  private var hasEnded = false

  /// - Parameter wantsGlobalHeader: The container stores parameter sets outside the packets.
  init(_ settings: MediaWriter.Settings, name: String, wantsGlobalHeader: Bool) throws(FFmpegError) {
    let codec = try unsafe Encoders.codec(named: name)
    if let limit = Encoders.brokenLimit(of: name, settings) {
      throw .outsideLimits(encoder: name, settings.size, settings.frameRate, limit)
    }
    hardware = try HardwareEncoder(name).map { encoder throws(FFmpegError) in try HardwareInput(encoder, settings) }
    let format =
      hardware == nil
      ? unsafe Encoders.format(of: settings.layout, for: codec) : PixelFormats.format(of: settings.layout)
    guard let format else {
      throw .unsupportedLayout(
        encoder: name, wanted: settings.layout, supported: unsafe Encoders.layouts(of: codec))
    }
    guard let context = unsafe avcodec_alloc_context3(codec) else { throw .outOfMemory }
    unsafe self.context = unsafe context
    (self.name, self.format) = (name, format)
    path = settings.url
    // SVT-AV1 writes it itself.
    let insertsMetadata = unsafe codec.pointee.id == AV_CODEC_ID_AV1 && name != "libsvtav1"
    inserted = insertsMetadata ? AV1Metadata(settings.metadata) : nil
    try configure(settings)
    try configureRate(settings)
    try unsafe hardware?.attach(to: context)
    // Samples have the tagged range, which FFmpeg calls unofficial unless it is full.
    if name == "mjpeg" { unsafe context.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL }
    if wantsGlobalHeader { unsafe context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER }
    try unsafe open(codec, EncoderOptions(settings, encoder: name))
  }

  deinit {
    if isOpen, name == "libsvtav1" { settle() }
    // The caller that set it must free it.
    unsafe av_freep(&context.pointee.stats_in)
    unsafe release(context, avcodec_free_context)
  }

  private func configure(_ settings: MediaWriter.Settings) throws(FFmpegError) {
    guard let timeBase = settings.timeBase.native else {
      throw .encoderRejected(encoder: name, message: "the time base \(settings.timeBase) is not a positive fraction")
    }
    let rate = Rational(settings.timeBase.denominator, settings.timeBase.numerator)
    if let rates = Encoders.frameRates(of: name), !rates.contains(where: { $0.value == rate.value }) {
      throw .unsupportedFrameRate(encoder: name, wanted: rate, isVariable: false, supported: rates)
    }
    guard settings.size.width > 0, settings.size.height > 0, let width = Int32(exactly: settings.size.width),
      let height = Int32(exactly: settings.size.height)
    else { throw .unsupportedSize(settings.size, path: path) }
    unsafe context.pointee.width = width
    unsafe context.pointee.height = height
    unsafe context.pointee.pix_fmt = format
    unsafe context.pointee.time_base = timeBase
    if let rate = settings.frameRate?.native { unsafe context.pointee.framerate = rate }
    if let aspect = settings.sampleAspectRatio?.native { unsafe context.pointee.sample_aspect_ratio = aspect }
    if let order = settings.fieldOrder, Encoders.keepsFields(name) {
      // Interleaved fields, as ffmpeg marks them.
      unsafe context.pointee.field_order = order == .topFirst ? AV_FIELD_TB : AV_FIELD_BT
      unsafe context.pointee.flags |= AV_CODEC_FLAG_INTERLACED_DCT | AV_CODEC_FLAG_INTERLACED_ME
    }
    unsafe context.pointee.color_primaries = settings.color.avPrimaries
    unsafe context.pointee.color_trc = settings.color.avTransfer
    unsafe context.pointee.colorspace = settings.color.avMatrix
    unsafe context.pointee.color_range = settings.color.avRange
    if settings.layout.components == .ycbcr420 {
      unsafe context.pointee.chroma_sample_location = settings.color.avChromaLocation
    }
    unsafe context.pointee.thread_count = Int32(clamping: max(settings.threads, 0))
  }

  private func configureRate(_ settings: MediaWriter.Settings) throws(FFmpegError) {
    let rate = settings.rate.settled
    if let average = rate.average { unsafe context.pointee.bit_rate = Int64(average) }
    if let maximum = rate.maximum { unsafe context.pointee.rc_max_rate = Int64(maximum) }
    if ["libaom-av1", "libvpx", "libvpx-vp9"].contains(name), let frameRate = settings.frameRate {
      // These encoders allocate bits by durations, which FFmpeg passes as one number of ticks for all frames.
      let ticks = (1 / (frameRate.value * settings.timeBase.value)).rounded()
      unsafe hr_encoder_set_ticks(context, Int32(clamping: Int(min(max(ticks, 1), 1e6))))
    }
    if let buffer = rate.buffer { unsafe context.pointee.rc_buffer_size = Int32(clamping: buffer) }
    // x265 has separate options for passes.
    guard let pass = settings.pass, name != "libx265" else { return }
    unsafe context.pointee.flags |= pass.isFirst ? AV_CODEC_FLAG_PASS1 : AV_CODEC_FLAG_PASS2
    if !pass.isFirst, PassStatistics.Form(name) == .text {
      unsafe context.pointee.stats_in = unsafe av_strdup(pass.statistics.text)
      if unsafe context.pointee.stats_in == nil { throw .outOfMemory }
    }
  }

  /// First-pass statistics of the latest pictures; nil if they are not returned as text.
  var passText: String? {
    guard PassStatistics.Form(name) == .text else { return nil }
    return unsafe text(context.pointee.stats_out)
  }

  private func open(_ codec: UnsafePointer<AVCodec>, _ options: EncoderOptions) throws(FFmpegError) {
    if let option = options.libraryOption {
      var values: OpaquePointer?
      defer { unsafe av_dict_free(&values) }
      for (name, value) in options.library { unsafe av_dict_set(&values, name, value, 0) }
      unsafe av_opt_set_dict_val(context.pointee.priv_data, option, values, 0)
    }
    try checkThreads()
    var wrapper: OpaquePointer?
    defer { unsafe av_dict_free(&wrapper) }
    for (name, value) in options.wrapper { unsafe av_dict_set(&wrapper, name, value, 0) }
    let (code, lines) = FFmpegLog.listening { unsafe avcodec_open2(context, codec, &wrapper) }
    isOpen = code >= 0
    if let complaint = options.complaint(in: lines, encoder: name) { throw complaint }
    if code < 0 {
      let size = unsafe Size(width: Int(context.pointee.width), height: Int(context.pointee.height))
      let rejected = FFmpegError.rejection(
        of: name, path, code, lines, hasMemory: SystemMemory.isLeft(toEncode: size))
      throw hardware?.explained(rejected) ?? rejected
    }
    // Remaining options were not recognized.
    if let unknown = unsafe entries(wrapper).keys.sorted().first {
      throw .unknownEncoderOption(encoder: name, name: unknown)
    }
  }

  /// Checks that threads can be created: x265 waits forever for missing threads, and x264 does not report the reason.
  private func checkThreads() throws(FFmpegError) {
    guard ["libx264", "libx265"].contains(name) else { return }
    let own = unsafe Int(context.pointee.thread_count)
    // Some threads for frames or lookahead are added to the threads for rows or frames.
    do { try ThreadGroup.check(2 * (own > 0 ? own : ProcessInfo.processInfo.activeProcessorCount) + 8) } catch {
      throw .failed(
        .openEncoder, path: path, code: -error.code, message: "there are no threads for it \(error.details)")
    }
  }

  /// Whether mastering display and content light are written to the coded stream.
  var writesMetadata: Bool {
    inserted != nil || ["libx264", "libx265", "libsvtav1"].contains(name) || hardware?.encoder.writesMetadata == true
  }

  /// Sends a picture to the encoder; nil at the end.
  func send(_ frame: UnsafePointer<AVFrame>?) throws(FFmpegError) {
    if unsafe frame == nil {
      hasEnded = true
      // SVT-AV1 hangs at the end of an empty stream.
      if !hasPictures { return }
    }
    hasPictures = true
    var given = unsafe frame
    let input = try unsafe frame.flatMap { planar throws(FFmpegError) in try unsafe hardware?.picture(of: planar) }
    if let input { unsafe given = unsafe UnsafePointer(input.frame) }
    let (code, lines) = FFmpegLog.listening { unsafe avcodec_send_frame(context, given) }
    if code < 0, code != hr_error_eof() { throw .failure(.encode, path, code, detail: lines) }
  }

  /// Fills `packet`; false if the encoder needs more pictures or has ended.
  func receive(into packet: UnsafeMutablePointer<AVPacket>) throws(FFmpegError) -> Bool {
    if !hasPictures { return false }
    let (code, lines) = FFmpegLog.listening { unsafe avcodec_receive_packet(context, packet) }
    if code >= 0 {
      try unsafe inserted?.insert(into: packet)
      return true
    }
    if code == hr_error_again() || code == hr_error_eof() { return false }
    throw .failure(.encode, path, code, detail: lines)
  }

  /// Drains SVT-AV1: closing it before its first picture hangs, before its last one logs errors.
  private func settle() {
    if !hasPictures {
      let size = unsafe Size(width: Int(context.pointee.width), height: Int(context.pointee.height))
      guard let blank = try? Picture.allocate(size: size, format: format) else { return }
      unsafe blank.frame.pointee.pts = 0
      unsafe avcodec_send_frame(context, blank.frame)
      hasEnded = false
    }
    if !hasEnded { unsafe avcodec_send_frame(context, nil) }
    var packet = unsafe av_packet_alloc()
    while unsafe avcodec_receive_packet(context, packet) >= 0 { unsafe av_packet_unref(packet) }
    unsafe av_packet_free(&packet)
  }
}
