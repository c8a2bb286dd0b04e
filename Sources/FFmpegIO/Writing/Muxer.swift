internal import Bitstreams
internal import CFFmpeg
internal import Files
internal import Frames
internal import Media

/// Owns an `AVFormatContext` for writing.
@safe
final class Muxer {
  // @safe: the pointers do not leave this module, and are freed with this object.
  let context: UnsafeMutablePointer<AVFormatContext>
  let format: UnsafePointer<AVOutputFormat>
  let name: String
  let traits: ContainerTraits
  let file: OutputFile
  private let location: Location
  /// Set if the muxer opens its files itself.
  private var files: MuxerFiles?
  private(set) var tracks: [Track] = []
  private var packetBytes = 0
  private var finalBytes: Int?
  private var isFinished = false
  let isLive: Bool
  private var hasRolledSphere = false
  /// Tags that are added to the finished file.
  private var freeTags: [String: String] = [:]
  /// What the finished file is missing, a sentence each.
  private(set) var losses: [String] = []

  /// - Parameter replaces: An existing file of this name is replaced; otherwise it is an error.
  init(
    _ format: UnsafePointer<AVOutputFormat>, url: String, replaces: Bool, reading inputs: [String]? = nil,
    isLive: Bool = false
  ) throws(FFmpegError) {
    unsafe self.format = unsafe format
    self.isLive = isLive
    let opensFile = unsafe format.pointee.flags & AVFMT_NOFILE == 0
    file = try FFmpegError.output { () throws(OutputError) in
      try OutputFile(url, opensFile: opensFile, replaces: replaces, reading: inputs)
    }
    location = Location(url, standardStream: "pipe:1")
    var made: UnsafeMutablePointer<AVFormatContext>?
    let code = unsafe avformat_alloc_output_context2(&made, format, nil, location.url.systemName)
    guard code >= 0, let context = unsafe made else { throw .failure(.create, url, code) }
    unsafe self.context = unsafe context
    name = unsafe text(format.pointee.name) ?? ""
    traits = ContainerTraits.of(name)
    // Y4M above 8 bits is "unofficial"; hashes must not depend on FFmpeg's version.
    if traits.family == .y4m { unsafe context.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL }
    // FFmpeg checks the file name suffix, which is the temporary file's.
    if traits.family == .transport, Self.isBluRay(url) {
      unsafe av_opt_set_int(context.pointee.priv_data, "mpegts_m2ts_mode", 1, 0)
    }
    if !opensFile { unsafe files = MuxerFiles(of: context, file) }
    if traits.isHash { unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT }
    if opensFile {
      try FFmpegError.output { () throws(OutputError) in
        try file.begin()
        if isLive { try file.show() }
      }
      let target = file.temporaryPath.map { "file:" + $0 } ?? location.url
      // Some muxers open the file again, to rewrite it.
      if file.temporaryPath != nil {
        unsafe av_freep(&context.pointee.url)
        unsafe context.pointee.url = unsafe av_strdup(target.systemName)
      }
      let (opened, lines) = FFmpegLog.listening {
        unsafe avio_open(&context.pointee.pb, target.systemName, AVIO_FLAG_WRITE)
      }
      if opened < 0 { throw .failure(.create, url, opened, detail: lines) }
    }
  }

  deinit {
    if unsafe format.pointee.flags & AVFMT_NOFILE == 0 { unsafe avio_closep(&context.pointee.pb) }
    unsafe avformat_free_context(context)
    // A live recording stays, even if its end could not be written.
    if !isFinished, !isLive || packetBytes == 0 { file.discard() }
  }

  var isISO: Bool { traits.family == .iso }
  var isMatroska: Bool { traits.family == .matroska }
  var isPlaylist: Bool { traits.family == .playlist }

  /// Whether the output can be reopened for reading.
  var isReadable: Bool {
    unsafe isPlaylist
      || format.pointee.flags & AVFMT_NOFILE == 0 && !traits.isNotReadBack && av_find_input_format(name) != nil
  }

  /// Adds the stream of the pictures.
  func addPictures(
    _ settings: MediaWriter.Settings, timeBase: AVRational,
    parameters describe: (UnsafeMutablePointer<AVCodecParameters>) throws(FFmpegError) -> Void
  ) throws(FFmpegError) -> Track {
    let track = try addTrack()
    let stream = unsafe track.stream
    guard let parameters = unsafe stream.pointee.codecpar else { throw .outOfMemory }
    try unsafe describe(parameters)
    // Edit lists use the movie's time scale; the default of milliseconds would round a start time.
    if isISO, (1...1_000_000).contains(timeBase.den) {
      unsafe av_opt_set_int(context.pointee.priv_data, "movie_timescale", Int64(timeBase.den), 0)
    }
    // QuickTime and Apple's players accept HEVC only under this tag.
    if isISO, unsafe parameters.pointee.codec_id == AV_CODEC_ID_HEVC {
      unsafe parameters.pointee.codec_tag = hr_tag_hvc1()
    }
    unsafe stream.pointee.time_base = timeBase
    if let rate = settings.frameRate?.native { unsafe stream.pointee.avg_frame_rate = rate }
    if let aspect = settings.sampleAspectRatio?.native { unsafe stream.pointee.sample_aspect_ratio = aspect }
    unsafe Self.setTags(settings.videoTags.kept(in: name), in: &stream.pointee.metadata)
    unsafe stream.pointee.disposition = dispositionFlags(settings.videoDispositions)
    try unsafe addSideData(to: stream, settings)
    return track
  }

  private func addSideData(
    to stream: UnsafeMutablePointer<AVStream>, _ settings: MediaWriter.Settings
  ) throws(FFmpegError) {
    try unsafe settings.metadata.add(to: stream)
    if let matrix = settings.displayMatrix {
      try unsafe matrix.sideData.add(to: stream)
      // A file can be patched when it is finished, a pipe cannot.
      let isTurned = matrix.rotation != 0 && !matrix.isMirrored && settings.projection.isEmpty
      if isMatroska, isTurned, file.isFile, hr_matroska_drops_rotation() != 0 {
        try unsafe MatroskaRotation.add(matrix, to: stream)
        hasRolledSphere = true
      }
    }
    for data in settings.projection { try unsafe data.add(to: stream) }
    // Google's boxes for stereoscopic and spherical video are "unofficial" in FFmpeg.
    if isISO, !settings.projection.isEmpty {
      unsafe context.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL
    }
  }

  /// Adds a copied stream.
  func add(_ copy: StreamCopy) throws(FFmpegError) -> Track {
    let track = try addTrack(copied: copy)
    try unsafe Self.describe(track.stream, as: copy, in: format)
    addCodecDelay(to: track)
    return track
  }

  /// Adds a re-encoded source stream.
  func add(
    _ encoder: UnsafePointer<AVCodecContext>, from source: StreamCopy, url: String
  ) throws(FFmpegError) -> Track {
    let track = try addTrack()
    guard let parameters = unsafe track.stream.pointee.codecpar else { throw .outOfMemory }
    let copied = unsafe avcodec_parameters_from_context(parameters, encoder)
    if copied < 0 { throw .failure(.writeHeader, url, copied) }
    unsafe track.stream.pointee.time_base = unsafe encoder.pointee.time_base
    unsafe track.stream.pointee.disposition = source.disposition
    unsafe Self.setTags(source.tags.kept(in: name, isEncoded: true), in: &track.stream.pointee.metadata)
    addCodecDelay(to: track)
    return track
  }

  /// Readers of Matroska subtract the delay of a codec from times (RFC 9559, `CodecDelay`): without this, Opus would be
  /// 6.5 ms earlier with every copy.
  private func addCodecDelay(to track: Track) {
    guard isMatroska, hr_matroska_subtracts_delay() != 0, let parameters = unsafe track.stream.pointee.codecpar,
      unsafe parameters.pointee.codec_id == AV_CODEC_ID_OPUS, unsafe parameters.pointee.initial_padding > 0
    else { return }
    track.codecDelay = FrameTime(
      presentation: unsafe Int64(parameters.pointee.initial_padding), duration: 0, timeBase: Rational(1, 48_000))
  }

  private func addTrack(copied: StreamCopy? = nil) throws(FFmpegError) -> Track {
    guard let stream = unsafe avformat_new_stream(context, nil) else { throw .outOfMemory }
    let isStrict = unsafe format.pointee.flags & AVFMT_TS_NONSTRICT == 0
    let track = unsafe Track(stream, isStrict: isStrict, copied: copied)
    tracks.append(track)
    return track
  }

  /// Writes the header; all streams must have been added.
  func begin(_ settings: MediaWriter.Settings) throws(FFmpegError) {
    unsafe Self.setTags(settings.tags, in: &context.pointee.metadata)
    if settings.isReproducible { unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT }
    for chapter in settings.chapters { try add(chapter) }
    let options = (isLive ? liveOptions(settings.muxerOptions) : []) + settings.muxerOptions
    let arrangement = ISOArrangement(options, format: name, isFile: file.isFile)
    let free = isISO ? settings.tags.filter { !ISOTags.areCommon($0.key) } : [:]
    if !free.isEmpty {
      if traits.takesFreeTags, file.isFile, !arrangement.isFragmented { freeTags = free }
    }
    // Matroska's muxer would shift every stream by audio priming, which precedes time zero.
    if isMatroska, settings.beginsAtZero { unsafe context.pointee.avoid_negative_ts = 0 }
    try setOptions(options, arrangement)
    if !free.isEmpty, freeTags.isEmpty { addMovFlag("use_metadata_tags") }
    let (code, lines) = FFmpegLog.listening { unsafe avformat_write_header(context, nil) }
    try check(code, .writeHeader, lines)
  }

  private func add(_ chapter: Chapter) throws(FFmpegError) {
    guard let base = chapter.timeBase.native else { return }
    guard let made = unsafe hr_add_chapter(context, chapter.id, base, chapter.start, chapter.end)
    else { throw .outOfMemory }
    unsafe Self.setTags(chapter.tags, in: &made.pointee.metadata)
  }

  /// Writes a packet with times in units of `timeBase`; the packet is empty afterwards.
  /// - Parameter later: Additional delay, in finer units.
  func write(
    _ packet: UnsafeMutablePointer<AVPacket>, to track: Track, timeBase: AVRational, later: FrameTime? = nil
  ) throws(FFmpegError) {
    // The data of an attachment is in the header.
    if unsafe track.stream.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT { return }
    unsafe track.prepare(packet, timeBase: timeBase, later: later)
    packetBytes += unsafe Int(packet.pointee.size)
    let (code, lines) = FFmpegLog.listening { unsafe av_interleaved_write_frame(context, packet) }
    try check(code, .write, lines)
  }

  /// Checks a result: muxers continue without a file that they could not open or write.
  private func check(_ code: Int32, _ operation: FFmpegError.Operation, _ lines: [String]) throws(FFmpegError) {
    if let failure = files?.failure { throw failure }
    if code < 0 { throw .failure(operation, file.name, code, detail: lines) }
  }

  /// Bytes written so far; the size of packets if the output is not a file.
  var byteCount: Int {
    if let finalBytes { return finalBytes }
    guard let pb = unsafe context.pointee.pb else { return packetBytes }
    return unsafe Int(max(0, avio_tell(pb)))
  }

  /// Writes the trailer and closes the file, which keeps its temporary name.
  func finish() throws(FFmpegError) {
    let (code, lines) = FFmpegLog.listening { unsafe av_write_trailer(context) }
    try check(code, .writeTrailer, lines)
    // Some muxers rewrite their header at the end.
    finalBytes = max(byteCount, unsafe context.pointee.pb.map { unsafe Int(avio_size($0)) } ?? 0)
    if unsafe format.pointee.flags & AVFMT_NOFILE == 0 {
      let closed = unsafe avio_closep(&context.pointee.pb)
      if closed < 0 { throw .failure(.writeTrailer, file.name, closed) }
    }
    guard let path = file.temporaryPath else { return }
    do {
      if hasRolledSphere { try MatroskaRotation.flatten(fileAt: path) }
      if try !ISOFreeTags.add(freeTags, toFileAt: path) {
        losses.append("The output does not hold the tags \(freeTags.keys.sorted().joined(separator: ", ")).")
      }
    } catch {
      throw .failure(.writeTrailer, file.name, error)
    }
  }

  /// The completeness of a file.
  enum Extent {
    case whole
    /// Stopped early; the name marks it as partial.
    case partial
    /// Stopped early, with the final name and a mark.
    case marked
  }

  /// Renames the finished file.
  /// - Returns: The name of a partial file; nil: the final name.
  func commit(as extent: Extent) throws(FFmpegError) -> String? {
    // A complete live recording stays, even if it cannot be renamed.
    isFinished = isLive
    let hasSegments = file.hasOthers
    let name = try FFmpegError.output { () throws(OutputError) -> String? in
      if extent == .partial { return try file.commitPartial() }
      try file.commit(isWhole: extent == .whole)
      return nil
    }
    isFinished = true
    if extent == .partial, hasSegments {
      losses.append("It was stopped: the output has its own name, and holds the part that was encoded.")
    }
    return name
  }
}

/// FFmpeg's flags of disposition names; unknown names are ignored.
private func dispositionFlags(_ names: [String]) -> Int32 {
  names.reduce(0) { unsafe $0 | max(0, av_disposition_from_string($1)) }
}
