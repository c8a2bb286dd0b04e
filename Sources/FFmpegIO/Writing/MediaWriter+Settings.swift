internal import CFFmpeg
public import Frames
public import Media

extension MediaWriter {
  /// A stream of an output.
  public enum OutputStream: Sendable {
    /// The frames that are written.
    case frames
    /// Packets of the source as they are.
    case copy(StreamCopy)
    /// Sound or subtitles of the source, by the named encoder of FFmpeg.
    case encoded(StreamCopy, encoder: String)

    /// The stream of the source that it is made of; nil for frames.
    public var source: StreamCopy? {
      switch self {
      case .frames: nil
      case .copy(let copy), .encoded(let copy, _): copy
      }
    }

    /// The stream of the source that goes into it as it is; nil for others.
    public var copied: StreamCopy? {
      if case .copy(let copy) = self { copy } else { nil }
    }
  }

  /// What is written, and how.
  public struct Settings: Sendable {
    /// A path, anything else that FFmpeg writes to, or "-" for standard output.
    public var url: String
    /// A file of this name is replaced; else it stays, and that is an error.
    public var replacesFile = true
    /// FFmpeg's name of the container; nil: by the file name, Y4M on standard output.
    public var format: String?
    /// FFmpeg's name of the encoder; nil: `Encoders.defaultEncoder`.
    public var encoder: String?
    /// The encoder's own name of a speed.
    public var preset: String?
    /// Constant quality on the encoder's own scale.
    public var crf: Double?
    /// Options of the encoder itself: of x264, x265 and SVT-AV1 by their own names, else of FFmpeg's encoder.
    public var encoderOptions: [(String, String)] = []
    /// The picture in luma samples; even for subsampled chroma.
    public var size: Size
    /// Planar samples of a depth that the encoder takes.
    public var layout: PixelLayout
    /// Length in seconds of one unit of the timestamps that reach the encoder.
    public var timeBase: Rational
    /// Nominal frames a second; what rate control and some headers go by.
    public var frameRate: Rational?
    /// Colour tags of the stream.
    public var color: ColorDescription
    /// Mastering display and content light are written to the stream and to the container.
    public var metadata = HDRMetadata()
    /// A file without the metadata is an error; else `finish()` tells of it.
    public var insistsOnMetadata = false
    /// Shape of a sample, width to height.
    public var sampleAspectRatio: Rational?
    /// How the picture is to be turned for display; nil leaves it as it is.
    public var displayMatrix: DisplayMatrix?
    /// Stereoscopic packing and spherical projection of the picture.
    public var projection: [StreamSideData] = []
    /// The streams of the file, in order; the frames are one of them.
    public var streams: [OutputStream] = [.frames]
    /// Language, title and other tags of the stream of frames.
    public var videoTags: [String: String] = [:]
    /// Dispositions of the stream of frames by the names of ffprobe.
    public var videoDispositions: [String] = ["default"]
    /// Title and other tags of the file.
    public var tags: [String: String] = [:]
    /// In the time of the output.
    public var chapters: [Chapter] = []
    /// No frame lies before time zero. What is a little before it, such as audio priming, then stays there; else
    /// containers without negative times move every stream.
    public var beginsAtZero = true
    /// Frames hold two fields, and which comes first; nil: none is marked interlaced.
    public var fieldOrder: FieldOrder?
    /// Threads of the encoder; 0: it decides.
    public var threads = 0

    /// The rest is optional, and has the defaults that its properties state.
    public init(
      url: String, format: String? = nil, encoder: String? = nil, size: Size, layout: PixelLayout,
      timeBase: Rational, frameRate: Rational? = nil, color: ColorDescription
    ) {
      self.url = url
      self.format = format
      self.encoder = encoder
      self.size = size
      self.layout = layout
      self.timeBase = timeBase
      self.frameRate = frameRate
      self.color = color
    }
  }

  /// FFmpeg's name of the container that `url` is written as.
  /// - Throws: `FFmpegError.unknownFormat` when nothing goes with it.
  public static func formatName(url: String, format: String? = nil) throws(FFmpegError) -> String {
    FFmpegLog.prepare()
    let muxer = try unsafe muxer(url: url, format: format)
    return unsafe text(muxer.pointee.name) ?? "unknown"
  }

  /// Whether a container holds a time for each frame, rather than a frame rate for all.
  /// - Throws: `FFmpegError.unknownFormat` when no container goes with the name.
  public static func keepsTimes(url: String, format: String? = nil) throws(FFmpegError) -> Bool {
    let muxer = try unsafe muxer(url: url, format: format)
    // FFmpeg's own flag for a variable rate is missing on MP4, which keeps every time.
    let isConstantRate = unsafe ["yuv4mpegpipe", "avi", "mxf", "mxf_opatom"].contains(text(muxer.pointee.name) ?? "")
    return unsafe !isConstantRate && muxer.pointee.flags & AVFMT_NOTIMESTAMPS == 0
  }

  /// Whether a container, by FFmpeg's name, shows nothing of what lies before time zero.
  public static func hidesNegativeTimes(_ format: String) -> Bool { Muxer.isISO(format) }

  /// Containers without chapters, and such as have no tags, as FFmpeg 5.1 writes them.
  private static let chapterless: Set = [
    "mpegts", "mpeg", "vcd", "svcd", "dvd", "vob", "mxf", "mxf_d10", "mxf_opatom", "gxf", "dv", "avi", "ogg", "flv",
    "wtv", "hls", "dash", "psp",
  ]
  private static let tagless: Set = [
    "mpegts", "mpeg", "vcd", "svcd", "dvd", "vob", "mxf", "mxf_d10", "mxf_opatom", "gxf", "dv", "hls", "3gp", "3g2",
  ]
  /// What RIFF has a name for.
  private static let tagsOfAVI: Set = [
    "title", "artist", "album", "comment", "copyright", "date", "genre", "encoder", "language", "track",
  ]

  /// Whether a container, by FFmpeg's name, has no place for chapters.
  public static func losesChapters(_ format: String) -> Bool { chapterless.contains(format) }

  /// Names of the tags of a file that a container, by FFmpeg's name, has no place for.
  public static func lostTags(_ tags: [String: String], in format: String) -> [String] {
    let lost = tags.keys.filter { key in
      tagless.contains(format) || format == "avi" && !tagsOfAVI.contains(key.lowercased())
    }
    return lost.sorted()
  }

  /// Whether a container takes a stream as it is.
  /// - Parameters:
  ///   - stream: The stream of a source.
  ///   - others: Streams that are copied into the same output: some containers have room for one of a kind.
  ///   - url: Name of the output, which decides the container where `format` does not.
  ///   - format: FFmpeg's name of the container.
  /// - Throws: `FFmpegError.unknownFormat` when no container goes with the name.
  public static func holds(
    _ stream: StreamCopy, beside others: [StreamCopy] = [], url: String, format: String? = nil
  ) throws(FFmpegError) -> Bool {
    FFmpegLog.prepare()
    return try unsafe Muxer.holds(stream, beside: others, muxer(url: url, format: format), url: url)
  }

  static func muxer(url: String, format: String?) throws(FFmpegError) -> UnsafePointer<AVOutputFormat> {
    let wanted = format ?? (url == "-" ? "yuv4mpegpipe" : nil)
    guard let muxer = unsafe av_guess_format(wanted, wanted == nil ? url : nil, nil) else {
      throw .unknownFormat(name: wanted ?? url)
    }
    return unsafe UnsafePointer(muxer)
  }
}

extension Rational {
  /// As FFmpeg's; nil unless it is a positive number that fits.
  var native: AVRational? {
    guard let num = Int32(exactly: numerator), let den = Int32(exactly: denominator), num > 0, den > 0 else {
      return nil
    }
    return AVRational(num: num, den: den)
  }
}
