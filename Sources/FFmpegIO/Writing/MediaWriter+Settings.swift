internal import CFFmpeg
public import Frames
public import Media

extension MediaWriter {
  /// An output stream.
  public enum OutputStream: Sendable {
    /// The encoded frames.
    case frames
    /// Packets of a source stream, unchanged.
    case copy(StreamCopy)
    /// Audio or subtitles of the source, re-encoded.
    case encoded(StreamCopy, StreamEncoding)

    /// The source stream; nil for frames.
    public var source: StreamCopy? {
      switch self {
      case .frames: nil
      case .copy(let copy), .encoded(let copy, _): copy
      }
    }

    /// The source stream if it is copied; nil otherwise.
    public var copied: StreamCopy? {
      if case .copy(let copy) = self { copy } else { nil }
    }
  }

  /// The output and its settings.
  public struct Settings: Sendable {
    /// A path, any other output of FFmpeg, or "-" for standard output.
    public var url: String
    /// Whether an existing file of this name is replaced; otherwise it is an error.
    public var replacesFile = true
    /// Input files, which are kept. Other leftovers of an earlier run of this output are replaced by a partial file,
    /// and removed when the output is complete; nil: leftovers are kept.
    public var inputs: [String]?
    /// Whether the frames cannot be made again: the file is then "take.partial.mkv" during writing, and is readable up
    /// to its end however the process ends. MP4 and QuickTime files are fragmented, unless `muxerOptions` contain
    /// `movflags`.
    public var isLive = false
    /// FFmpeg's name of the container; nil: chosen by the file name, Y4M on standard output.
    public var format: String?
    /// FFmpeg's name of the encoder; nil: `Encoders.defaultEncoder`.
    public var encoder: String?
    /// Preset of the encoder.
    public var preset: String?
    /// Constant quality (CRF) on the encoder's scale.
    public var crf: Double?
    /// Bounds on the bit rate; `Encoders.rateAbility` states which ones an encoder supports.
    public var rate = RateControl()
    /// One of two passes; nil: a single pass.
    public var pass: PassStatistics.Pass?
    /// Encoder options: by the library's names for x264, x265 and SVT-AV1, otherwise by FFmpeg's.
    public var encoderOptions: [(String, String)] = []
    /// Device node of a hardware encoder; nil: the first.
    public var hardwareDevice: String?
    /// Options of the container, by FFmpeg's names.
    public var muxerOptions: [(String, String)] = []
    /// Size of the picture in luma samples; even for subsampled chroma.
    public var size: Size
    /// Planar layout with a bit depth that the encoder supports.
    public var layout: PixelLayout
    /// Time base of the frames that reach the encoder, in seconds.
    public var timeBase: Rational
    /// Nominal frame rate, for rate control and some headers.
    public var frameRate: Rational?
    /// Colour tags of the stream.
    public var color: ColorDescription
    /// Mastering display and content light for the stream and the container.
    public var metadata = HDRMetadata()
    /// Whether missing metadata in the file is an error; otherwise `finish()` reports it.
    public var insistsOnMetadata = false
    /// Whether the frames' HDR10+ is copied byte for byte; a file without it is incomplete. Requires
    /// `Encoders.carriesHDR10Plus`.
    public var copiesHDR10Plus = false
    /// Sample aspect ratio.
    public var sampleAspectRatio: Rational?
    /// How the picture is rotated for display; nil: not at all.
    public var displayMatrix: DisplayMatrix?
    /// Stereoscopic packing and spherical projection of the picture.
    public var projection: [StreamSideData] = []
    /// The streams of the file, in order; the frames are one of them.
    public var streams: [OutputStream] = [.frames]
    /// Language, title and other tags of the video stream.
    public var videoTags: [String: String] = [:]
    /// Dispositions of the video stream, by the names of ffprobe.
    public var videoDispositions: [String] = ["default"]
    /// Title and other tags of the file.
    public var tags: [String: String] = [:]
    /// In output time.
    public var chapters: [Chapter] = []
    /// Whether no frame precedes time zero. Packets slightly before it, such as audio priming, then stay there;
    /// otherwise containers without negative times shift every stream.
    public var beginsAtZero = true
    /// For a piece of a film that is joined later: the result of `MediaWriter.timeOrigin(ofFilm:url:format:)` for the
    /// whole film, so that the piece's times match a single run. The writer then keeps them in a table, `pieceTimes`.
    /// nil: the first written frame.
    public var timeOrigin: FrameTime?
    /// Whether the container gets no random numbers, so that the same packets result in the same bytes.
    public var isReproducible = false
    /// Field order of interlaced frames; nil: no frame is flagged interlaced.
    public var fieldOrder: FieldOrder?
    /// Threads of the encoder; 0: the encoder's choice.
    public var threads = 0

    /// Other properties are optional, with their documented defaults.
    public init(
      url: String, format: String? = nil, encoder: String? = nil, size: Size, layout: PixelLayout,
      timeBase: Rational, frameRate: Rational? = nil, color: ColorDescription
    ) {
      (self.url, self.format, self.encoder, self.size, self.layout) = (url, format, encoder, size, layout)
      (self.timeBase, self.frameRate, self.color) = (timeBase, frameRate, color)
    }
  }

  /// FFmpeg's name of the container for `url`.
  /// - Throws: `FFmpegError.unknownFormat` if no container matches.
  public static func formatName(url: String, format: String? = nil) throws(FFmpegError) -> String {
    FFmpegLog.prepare()
    let muxer = try unsafe muxer(url: url, format: format)
    return unsafe text(muxer.pointee.name) ?? "unknown"
  }

  /// Suffixes of a container's files, without a dot, the default first; empty if FFmpeg lacks the container, or it does
  /// not write files.
  /// - Parameter format: FFmpeg's name of the container.
  public static func suffixes(of format: String) -> [String] {
    guard let muxer = unsafe av_guess_format(format, nil, nil) else { return [] }
    let names = unsafe text(muxer.pointee.extensions)?.split(separator: ",").map(String.init) ?? []
    return names + ContainerTraits.of(format).addedSuffixes
  }

  /// Whether a container stores a time for each frame, rather than a constant frame rate.
  /// - Throws: `FFmpegError.unknownFormat` if no container matches the name.
  public static func keepsTimes(url: String, format: String? = nil) throws(FFmpegError) -> Bool {
    let muxer = try unsafe muxer(url: url, format: format)
    return unsafe !ContainerTraits.of(muxer).hasConstantRate && muxer.pointee.flags & AVFMT_NOTIMESTAMPS == 0
  }

  /// The `Settings.timeOrigin` of a film and its pieces.
  /// - Parameters:
  ///   - first: Time of the first frame of the film, in the clock of the written frames.
  ///   - url: Name of the film, not of a piece.
  ///   - format: FFmpeg's name of its container.
  /// - Throws: `FFmpegError.unknownFormat` if no container matches the name.
  public static func timeOrigin(
    ofFilm first: FrameTime, url: String, format: String? = nil
  ) throws(FFmpegError) -> FrameTime {
    if try keepsTimes(url: url, format: format) { return first }
    return FrameTime(presentation: 0, duration: 0, timeBase: first.timeBase)
  }

  /// Whether a container, by FFmpeg's name, hides everything before time zero.
  public static func hidesNegativeTimes(_ format: String) -> Bool { ContainerTraits.of(format).family == .iso }

  /// Whether a container, by FFmpeg's name, cannot hold chapters.
  public static func losesChapters(_ format: String) -> Bool { !ContainerTraits.of(format).holdsChapters }

  /// Names of file tags that a container, by FFmpeg's name, cannot hold.
  public static func lostTags(_ tags: [String: String], in format: String) -> [String] {
    guard let held = ContainerTraits.of(format).tags else { return [] }
    return tags.keys.filter { !held.contains($0.lowercased()) }.sorted()
  }

  /// Whether a container can hold a stream without re-encoding.
  /// - Parameters:
  ///   - stream: A source stream.
  ///   - others: Streams copied to the same output: some containers hold only one of a kind.
  ///   - url: Name of the output, which determines the container unless `format` does.
  ///   - format: FFmpeg's name of the container.
  /// - Throws: `FFmpegError.unknownFormat` if no container matches the name.
  public static func holds(
    _ stream: StreamCopy, beside others: [StreamCopy] = [], url: String, format: String? = nil
  ) throws(FFmpegError) -> Bool {
    FFmpegLog.prepare()
    return try unsafe Muxer.holds(stream, beside: others, muxer(url: url, format: format), url: url)
  }

  /// The form of a stream after encoding, for `holds`.
  /// - Throws: `FFmpegError` if the encoder is missing or does not open.
  public static func encoded(
    _ stream: StreamCopy, as encoding: StreamEncoding, url: String, format: String? = nil
  ) throws(FFmpegError) -> StreamCopy {
    FFmpegLog.prepare()
    let flags = try unsafe muxer(url: url, format: format).pointee.flags
    let transcoder = try stream.transcoder(
      as: encoding, wantsGlobalHeader: flags & AVFMT_GLOBALHEADER != 0, path: url)
    return try unsafe StreamCopy(stream, encodedBy: transcoder.encoder)
  }

  static func muxer(url: String, format: String?) throws(FFmpegError) -> UnsafePointer<AVOutputFormat> {
    let wanted = format ?? (url == "-" ? ContainerTraits.ofStandardStreams : nil)
    guard let muxer = unsafe av_guess_format(wanted, wanted == nil ? url : nil, nil)
    else { throw .unknownFormat(name: wanted ?? url) }
    return unsafe UnsafePointer(muxer)
  }
}

extension MediaWriter.Settings {
  /// The specified encoder, or the default of a container; nil: none.
  func encoderName(forFormat format: String) -> String? {
    encoder ?? Encoders.defaultEncoder(forFormat: format, layout: layout, color: color)
  }
}

extension Rational {
  /// FFmpeg's type; nil unless it is a positive number that fits.
  var native: AVRational? {
    guard let num = Int32(exactly: numerator), let den = Int32(exactly: denominator), num > 0, den > 0
    else { return nil }
    return AVRational(num: num, den: den)
  }
}
