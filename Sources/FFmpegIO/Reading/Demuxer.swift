internal import Bitstreams
internal import CFFmpeg
internal import Files
internal import Frames
internal import Media
internal import Synchronization

/// Owns an `AVFormatContext` for reading.
@safe
final class Demuxer {
  // @safe: the pointers do not leave this module, and are freed with this object.
  let context: UnsafeMutablePointer<AVFormatContext>
  let location: Location
  /// FFmpeg's interrupt callback, which outlives the context.
  private let interruption: ReadInterruption
  private let pipe: PipeInput?
  /// Ambient viewing environments in an MP4 or QuickTime file, by stream.
  let ambientViewing: [Int: AmbientViewing]
  /// The areas of pictures that the container shows, by stream.
  private var apertures: [Int: CleanAperture] = [:]
  /// Streams of an MP4 or QuickTime file that contain T.35 messages.
  let t35Streams: [Int]
  /// Whether FFmpeg reached the end of a truncated file while probing its streams, and will not report that again.
  let isTruncated: Bool
  /// The colour chunks of a PNG file.
  let png: PNGColor?

  /// - Parameters:
  ///   - format: FFmpeg's name of the container; nil: detected from the content.
  ///   - interruption: Ends blocked reads once it is set.
  init(
    _ location: Location, format: String?, protocols: ProtocolPolicy = ProtocolPolicy(),
    interruption: ReadInterruption = ReadInterruption()
  ) throws(FFmpegError) {
    (self.location, self.interruption) = (location, interruption)
    if location.byteCount == 0 { throw .emptyFile(path: location.name) }
    try location.checkPNGHeader()
    let tables = try location.isoTables()
    (ambientViewing, t35Streams) = (tables?.ambientViewing ?? [:], tables?.t35Tracks ?? [])
    pipe = try PipeInput(location, interruption)
    let opening = InputOpening(
      location: location, format: format, protocols: protocols, interruption: interruption, pipe: pipe)
    let context = try unsafe opening.open()
    unsafe self.context = unsafe context
    let stated = unsafe Self.streams(of: context).map {
      unsafe $0.pointee.codecpar.map { unsafe ContainerColor($0.pointee) }
    }
    let (found, said) = FFmpegLog.listening { unsafe avformat_find_stream_info(context, nil) }
    if let name = ProtocolPolicy.refused(in: said) { throw .protocolNotAllowed(path: location.name, name: name) }
    if found < 0 { throw .failure(.readStreams, location.name, location.withoutBlame(found), detail: said) }
    for unsafe(stream, color) in unsafe zip(Self.streams(of: context), stated) {
      if let parameters = unsafe stream.pointee.codecpar { unsafe color?.restore(&parameters.pointee) }
    }
    isTruncated = unsafe avio_feof(context.pointee.pb) != 0 && Self.areOfTruncation(said)
    let only = unsafe context.pointee.nb_streams == 1 ? context.pointee.streams[0]?.pointee.codecpar : nil
    png = unsafe only?.pointee.codec_id.isPNG ?? false ? location.pngColor : nil
    apertures = tables?.apertures ?? matroskaApertures(location)
    if unsafe streams.allSatisfy({ unsafe Self.isUnknown($0.pointee.codecpar) }) {
      throw .unrecognized(path: location.name, format: unsafe text(context.pointee.iformat?.pointee.name) ?? "unknown")
    }
  }

  deinit { unsafe release(context, avformat_close_input) }

  /// Whether FFmpeg has read the file up to its end.
  var isAtEnd: Bool { unsafe avio_feof(context.pointee.pb) != 0 }

  /// Whether these are FFmpeg's messages for truncated files.
  static func areOfTruncation(_ lines: [String]) -> Bool {
    let words = ["ended prematurely", "partial file", "truncated"]
    return lines.contains { line in words.contains { line.lowercased().contains($0) } }
  }

  /// Whether these are messages about damage: demuxers continue after it, and only the log mentions the missing data.
  static func areOfDamage(_ lines: [String]) -> Bool {
    let words = ["invalid as first byte of an EBML number", "edit unit sync lost", "Failed to open segment"]
    return lines.contains { line in words.contains { line.contains($0) } }
  }

  /// The streams in file order.
  var streams: [UnsafeMutablePointer<AVStream>] { unsafe Self.streams(of: context) }

  private static func streams(of context: UnsafeMutablePointer<AVFormatContext>) -> [UnsafeMutablePointer<AVStream>] {
    guard let first = unsafe context.pointee.streams else { return unsafe [] }
    return unsafe (0..<Int(context.pointee.nb_streams)).compactMap { unsafe first[$0] }
  }

  /// The video streams, without cover pictures.
  private var videoStreams: [UnsafeMutablePointer<AVStream>] {
    unsafe streams.filter {
      unsafe $0.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
    }
  }

  /// The video stream at an index, or FFmpeg's best choice; never a cover picture.
  func videoStream(_ index: Int?) throws(FFmpegError) -> UnsafeMutablePointer<AVStream> {
    let candidates = unsafe videoStreams
    if let index {
      guard let stream = unsafe candidates.first(where: { unsafe Int($0.pointee.index) == index })
      else { throw .noVideoStream(path: location.name) }
      return unsafe stream
    }
    let best = unsafe av_find_best_stream(context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
    if let stream = unsafe candidates.first(where: { unsafe $0.pointee.index == best }) { return unsafe stream }
    guard let stream = unsafe candidates.first else { throw .noVideoStream(path: location.name) }
    return unsafe stream
  }

  /// Maximum number of pixels of decoded pictures: `limit`, or less for picture files, by their size.
  func maximumPixels(_ limit: Int) -> Int {
    let isOfPictures = unsafe text(context.pointee.iformat?.pointee.name)?.hasSuffix("_pipe") ?? false
    guard isOfPictures, let byteCount = location.byteCount, let stream = unsafe streams.first,
      let codec = unsafe stream.pointee.codecpar?.pointee.codec_id
    else { return limit }
    return min(limit, PictureBound.maximumPixels(codec, byteCount: byteCount) ?? limit)
  }

  /// Whether the clock may jump, as in transport streams.
  var mayJump: Bool { unsafe (context.pointee.iformat?.pointee.flags ?? 0) & AVFMT_TS_DISCONT != 0 }

  /// Passes only packets of these streams, and of all audio and video streams where the clock may jump: every reader of
  /// a file then sees the same jumps.
  func select(_ indices: Set<Int>) {
    let mayJump = mayJump
    unsafe streams.forEach { stream in
      let isWanted = unsafe indices.contains(Int(stream.pointee.index)) || mayJump && isTimed(stream)
      unsafe stream.pointee.discard = isWanted ? AVDISCARD_DEFAULT : AVDISCARD_ALL
    }
  }

  /// Indices of the streams that match an FFmpeg stream specifier ("a:1", "s:m:language:eng"; "" is all).
  /// - Throws: `FFmpegError.invalidSpecifier`.
  func streams(matching specifier: String) throws(FFmpegError) -> [Int] {
    let (codes, _) = FFmpegLog.listening {
      unsafe streams.map { unsafe avformat_match_stream_specifier(context, $0, specifier) }
    }
    if codes.contains(where: { $0 < 0 }) { throw .invalidSpecifier(specifier) }
    return codes.indices.filter { codes[$0] > 0 }
  }

  /// Whether FFmpeg knows nothing about a stream except that it exists.
  private static func isUnknown(_ parameters: UnsafePointer<AVCodecParameters>?) -> Bool {
    guard let parameters = unsafe parameters else { return true }
    switch unsafe parameters.pointee.codec_type {
    case AVMEDIA_TYPE_VIDEO: return unsafe parameters.pointee.width <= 0 || parameters.pointee.height <= 0
    case AVMEDIA_TYPE_AUDIO: return unsafe parameters.pointee.sample_rate <= 0 || hr_audio_channels(parameters) <= 0
    default: return unsafe parameters.pointee.codec_id == AV_CODEC_ID_NONE && parameters.pointee.codec_tag == 0
    }
  }

  private func matroskaApertures(_ location: Location) -> [Int: CleanAperture] {
    var result: [Int: CleanAperture] = [:]
    for unsafe(stream, aperture) in unsafe zip(videoStreams, location.matroskaApertures?.apertures ?? []) {
      result[unsafe Int(stream.pointee.index)] = aperture
    }
    return result
  }

  private var chapters: [Chapter] {
    guard let first = unsafe context.pointee.chapters else { return [] }
    return unsafe (0..<Int(context.pointee.nb_chapters)).compactMap { unsafe first[$0].map { unsafe Chapter($0) } }
  }

  func info() -> MediaInfo {
    let described = unsafe streams.compactMap { pointer in
      var stream = unsafe StreamInfo(context, pointer, png: png)
      if unsafe pointer.pointee.codecpar.map({ unsafe HEVCSequence.codesFields($0.pointee) }) ?? false {
        stream?.video?.weave()
        if let fields = stream?.frameCount { stream?.frameCount = (fields + 1) / 2 }
      }
      if let index = stream?.index, let aperture = apertures[index] { stream?.video?.crop(to: aperture) }
      return stream
    }
    let format = unsafe context.pointee.iformat
    let microseconds = Double(AV_TIME_BASE)
    return MediaInfo(
      url: location.name, formatName: unsafe text(format?.pointee.name) ?? "unknown",
      formatLongName: unsafe text(format?.pointee.long_name) ?? "unknown",
      duration: unsafe known(context.pointee.duration).map { Double($0) / microseconds },
      startTime: unsafe known(context.pointee.start_time).map { Double($0) / microseconds },
      bitRate: unsafe context.pointee.bit_rate > 0 ? Int(context.pointee.bit_rate) : nil,
      byteCount: location.byteCount, tags: unsafe entries(context.pointee.metadata),
      chapters: chapters, streams: described)
  }
}

/// Ends blocked reads, from any thread.
final class ReadInterruption: Sendable {
  private let isSet = Atomic(false)

  func set() { isSet.store(true, ordering: .relaxed) }

  var wasSet: Bool { isSet.load(ordering: .relaxed) }

  /// FFmpeg's interrupt callback; this object must outlive its user.
  var callback: AVIOInterruptCB {
    unsafe AVIOInterruptCB(
      callback: { opaque in
        guard let opaque = unsafe opaque else { return 0 }
        return unsafe Unmanaged<ReadInterruption>.fromOpaque(opaque).takeUnretainedValue().wasSet ? 1 : 0
      }, opaque: Unmanaged.passUnretained(self).toOpaque())
  }
}

/// Whether a stream is audio or video.
func isTimed(_ stream: UnsafePointer<AVStream>) -> Bool {
  guard let kind = unsafe stream.pointee.codecpar?.pointee.codec_type else { return false }
  return kind == AVMEDIA_TYPE_VIDEO || kind == AVMEDIA_TYPE_AUDIO
}
