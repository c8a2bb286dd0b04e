internal import CFFmpeg
internal import Frames

/// The one owner of an `AVFormatContext` that is written.
@safe
final class Muxer {
  // @safe: the pointers do not leave this module, and are freed with this object.
  private let context: UnsafeMutablePointer<AVFormatContext>
  private let format: UnsafePointer<AVOutputFormat>
  let file: OutputFile
  private var packetBytes = 0
  private var finalBytes: Int?
  private var isFinished = false

  init(_ format: UnsafePointer<AVOutputFormat>, url: String) throws(FFmpegError) {
    unsafe self.format = unsafe format
    let opensFile = unsafe format.pointee.flags & AVFMT_NOFILE == 0
    file = try OutputFile(Location(url, standardStream: "pipe:1"), opensFile: opensFile)
    var made: UnsafeMutablePointer<AVFormatContext>?
    let code = unsafe avformat_alloc_output_context2(&made, format, nil, file.url)
    guard code >= 0, let context = unsafe made else { throw .failure(.create, url, code) }
    unsafe self.context = unsafe context
    let name = unsafe text(format.pointee.name) ?? ""
    // Y4M beyond 8 bit is "unofficial"; a hash must not depend on FFmpeg's version.
    if name == "yuv4mpegpipe" { unsafe context.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL }
    if name.contains("md5") || name.contains("hash") { unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT }
    if opensFile {
      let (opened, lines) = FFmpegLog.listening {
        unsafe avio_open(&context.pointee.pb, file.url, AVIO_FLAG_WRITE)
      }
      if opened < 0 { throw .failure(.create, url, opened, detail: lines) }
    }
  }

  deinit {
    if unsafe format.pointee.flags & AVFMT_NOFILE == 0 { unsafe avio_closep(&context.pointee.pb) }
    unsafe avformat_free_context(context)
    if !isFinished { file.discard() }
  }

  /// The length of one unit of the packets' times.
  private var timeBase: AVRational {
    unsafe context.pointee.streams[0]?.pointee.time_base ?? AVRational(num: 1, den: 1)
  }

  /// Adds the one stream and writes the header.
  func begin(_ encoder: Encoder, _ settings: MediaWriter.Settings) throws(FFmpegError) {
    guard let stream = unsafe avformat_new_stream(context, nil), let parameters = unsafe stream.pointee.codecpar else {
      throw .outOfMemory
    }
    let copied = unsafe avcodec_parameters_from_context(parameters, encoder.context)
    if copied < 0 { throw .failure(.writeHeader, settings.url, copied) }
    // QuickTime and Apple's players take HEVC under this tag only.
    let isISO = unsafe ["mp4", "mov", "ismv", "ipod", "f4v"].contains(text(format.pointee.name) ?? "")
    // Edit lists count in the movie's time scale; in the default of milliseconds a start would be rounded.
    if isISO, unsafe (1...1_000_000).contains(encoder.context.pointee.time_base.den) {
      unsafe av_opt_set_int(
        context.pointee.priv_data, "movie_timescale", Int64(encoder.context.pointee.time_base.den), 0)
    }
    if isISO, unsafe parameters.pointee.codec_id == AV_CODEC_ID_HEVC {
      unsafe parameters.pointee.codec_tag = hr_tag_hvc1()
    }
    unsafe stream.pointee.time_base = unsafe encoder.context.pointee.time_base
    if let rate = settings.frameRate?.native { unsafe stream.pointee.avg_frame_rate = rate }
    if let aspect = settings.sampleAspectRatio?.native { unsafe stream.pointee.sample_aspect_ratio = aspect }
    try unsafe addSideData(to: stream, settings)
    let (code, lines) = FFmpegLog.listening { unsafe avformat_write_header(context, nil) }
    if code < 0 { throw .failure(.writeHeader, settings.url, code, detail: lines) }
  }

  private func addSideData(
    to stream: UnsafeMutablePointer<AVStream>, _ settings: MediaWriter.Settings
  ) throws(FFmpegError) {
    if let display = settings.metadata.masteringDisplay {
      var values = display.native
      if unsafe hr_stream_add_mastering(stream, &values) < 0 { throw .outOfMemory }
    }
    if let light = settings.metadata.contentLight,
      unsafe hr_stream_add_content_light(stream, UInt32(light.maxCLL), UInt32(light.maxFALL)) < 0
    {
      throw .outOfMemory
    }
    if let matrix = settings.displayMatrix, unsafe hr_stream_add_display_matrix(stream, matrix.elements) < 0 {
      throw .outOfMemory
    }
  }

  /// Writes a packet whose times are in units of `timeBase`; the packet is empty afterwards.
  func write(_ packet: UnsafeMutablePointer<AVPacket>, timeBase: AVRational) throws(FFmpegError) {
    unsafe packet.pointee.stream_index = 0
    unsafe av_packet_rescale_ts(packet, timeBase, self.timeBase)
    packetBytes += unsafe Int(packet.pointee.size)
    let (code, lines) = FFmpegLog.listening { unsafe av_interleaved_write_frame(context, packet) }
    if code < 0 { throw .failure(.write, file.target.name, code, detail: lines) }
  }

  /// Bytes written so far; of packets where there is no file.
  var byteCount: Int {
    if let finalBytes { return finalBytes }
    guard let pb = unsafe context.pointee.pb else { return packetBytes }
    return unsafe Int(max(0, avio_tell(pb)))
  }

  /// Writes the trailer, closes the file and gives it its name.
  func finish() throws(FFmpegError) {
    let (code, lines) = FFmpegLog.listening { unsafe av_write_trailer(context) }
    if code < 0 { throw .failure(.writeTrailer, file.target.name, code, detail: lines) }
    finalBytes = byteCount
    if unsafe format.pointee.flags & AVFMT_NOFILE == 0 {
      let closed = unsafe avio_closep(&context.pointee.pb)
      if closed < 0 { throw .failure(.writeTrailer, file.target.name, closed) }
    }
    try file.commit()
    isFinished = true
  }
}
