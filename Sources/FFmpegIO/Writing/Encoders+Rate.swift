internal import CFFmpeg
public import Frames

extension Encoders {
  /// Bounds on quality and bit rate that an encoder supports.
  public struct RateAbility: Sendable, Hashable {
    /// Constant quality (CRF); nil: unsupported.
    public var crf: ClosedRange<Double>?
    /// Other options for constant quality.
    public var qualityOptions: [String]
    /// Whether coding is always lossless.
    public var isLossless: Bool
    /// Whether an average bit rate is supported.
    public var keepsBitRate: Bool
    /// Whether constant quality and a bit rate can be combined: the quality where the bits suffice.
    public var bothAtOnce: Bool
    /// Whether a maximum can be combined with a bit rate.
    public var boundsBitRate: Bool
    /// Whether a maximum can be combined with constant quality.
    public var boundsQuality: Bool
    /// Whether two passes are supported.
    public var hasTwoPasses: Bool
  }

  /// The bounds that an encoder supports.
  /// - Parameter name: FFmpeg's name of the encoder.
  /// - Returns: nil if FFmpeg lacks it.
  public static func rateAbility(_ name: String) -> RateAbility? {
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      let descriptor = unsafe avcodec_descriptor_get(codec.pointee.id)
    else { return nil }
    let props = unsafe descriptor.pointee.props
    let isLossless = isLossless(name)
    let keepsBitRate = !isLossless && (props & AV_CODEC_PROP_INTRA_ONLY == 0 || name == "mjpeg")
    let isVPX = ["libaom-av1", "libvpx", "libvpx-vp9"].contains(name)
    return unsafe RateAbility(
      crf: crfRange(name, codec),
      qualityOptions: ["qp", "cq", "qscale", "profile"].filter { unsafe option($0, of: codec) != nil },
      isLossless: isLossless, keepsBitRate: keepsBitRate, bothAtOnce: isVPX,
      // SVT-AV1 1.4 takes a maximum with constant quality only; libaom and libvpx use it in a second pass, if at all.
      boundsBitRate: keepsBitRate && name != "libsvtav1" && !isVPX,
      boundsQuality: ["libx264", "libx264rgb", "libx265", "libsvtav1"].contains(name),
      hasTwoPasses: PassStatistics.Form(name) != nil)
  }

  /// Available encoders that support two passes.
  public static var withTwoPasses: [String] {
    available.keys.filter { PassStatistics.Form($0) != nil }.sorted()
  }

  /// x264's and x265's scales end at 51, whatever FFmpeg's option accepts; 0 of SVT-AV1 is not a quality in FFmpeg 5.1.
  private static func crfRange(_ name: String, _ codec: UnsafePointer<AVCodec>) -> ClosedRange<Double>? {
    // These encoders have different scales of constant quality.
    if HardwareEncoder(name) != nil { return 1...51 }
    guard let option = unsafe option("crf", of: codec) else { return nil }
    switch name {
    case "libx264", "libx264rgb", "libx265": return 0...51
    case "libsvtav1": return 1...63
    // FFmpeg limits the minimum quantizer to 4.
    case "libvpx": return 4...63
    default: return unsafe max(0, option.pointee.min)...max(0, option.pointee.max)
    }
  }

  private static func option(_ name: String, of codec: UnsafePointer<AVCodec>) -> UnsafePointer<AVOption>? {
    guard var options = unsafe codec.pointee.priv_class else { return nil }
    return unsafe withUnsafeMutablePointer(to: &options) {
      unsafe av_opt_find($0, name, nil, 0, AV_OPT_SEARCH_FAKE_OBJ)
    }
  }

  /// Default settings of an encoder.
  public struct Defaults: Sendable, Hashable {
    /// Preset, or the value of the option in its place; nil: none.
    public var preset: String?
    /// Constant quality (CRF).
    public var crf: Double?
    /// Bit rate in bit/s.
    public var bitRate: Int?
  }

  /// The default settings of an encoder, from its library and `EncoderOptions`.
  /// - Parameter name: FFmpeg's name of the encoder.
  ///
  /// Source: the settings that x264 r3095, x265 3.5, SVT-AV1 1.4 and FFmpeg 5.1 log.
  public static func defaults(_ name: String) -> Defaults {
    switch name {
    case "libx264", "libx264rgb": return Defaults(preset: "medium", crf: 23)
    case "libx265": return Defaults(preset: "medium", crf: 28)
    case "libsvtav1": return Defaults(preset: "10", crf: 35)
    case "libaom-av1", "libvpx-vp9": return Defaults(preset: EncoderOptions.speed(name)?.value, crf: 32)
    // According to its log.
    case "libvpx": return Defaults(bitRate: 256_000)
    default: break
    }
    guard rateAbility(name)?.keepsBitRate == true, let codec = unsafe avcodec_find_encoder_by_name(name)
    else { return Defaults() }
    var context = unsafe avcodec_alloc_context3(codec)
    defer { unsafe avcodec_free_context(&context) }
    let rate = unsafe context.map { unsafe Int($0.pointee.bit_rate) } ?? 0
    return Defaults(bitRate: rate > 0 ? rate : nil)
  }

  /// Common names of codecs and libraries.
  private static let others: [String: [String]] = [
    "hevc": ["libx265"], "h265": ["libx265"], "h.265": ["libx265"], "x265": ["libx265"],
    "h264": ["libx264"], "h.264": ["libx264"], "avc": ["libx264"], "x264": ["libx264"],
    "av1": ["libsvtav1", "libaom-av1", "librav1e"], "svtav1": ["libsvtav1"], "svt-av1": ["libsvtav1"],
    "aom": ["libaom-av1"], "libaom": ["libaom-av1"], "aom-av1": ["libaom-av1"], "rav1e": ["librav1e"],
    "vp9": ["libvpx-vp9"], "vp8": ["libvpx"], "theora": ["libtheora"], "jpegxl": ["libjxl"],
    "mpeg2": ["mpeg2video"], "mpeg1": ["mpeg1video"], "xvid": ["libxvid"], "dnxhr": ["dnxhd"],
  ]

  private static let audioLibraries = ["mp3": "libmp3lame", "opus": "libopus", "vorbis": "libvorbis"]

  /// FFmpeg's name of an audio encoder that may be given by codec: the library's, where FFmpeg's native encoder is
  /// experimental or missing.
  /// - Returns: `name` if it is not an alias.
  public static func namedAudio(_ name: String) -> String {
    guard let library = audioLibraries[name.lowercased()], unsafe avcodec_find_encoder_by_name(library) != nil
    else { return name }
    return library
  }

  /// Bit rates in bit/s that an audio encoder supports; it would silently replace others by the nearest. nil: it
  /// reports unsupported rates itself.
  ///
  /// Sources: RFC 6716, 2.1.1 (Opus); ISO/IEC 11172-3 and 13818-3, tables of bit rates (MP3; MPEG-2.5 is measured);
  /// ATSC A/52, table 5.18; measured for AAC of FFmpeg 5.1.
  public static func audioBitRates(_ encoder: String, channels: Int, sampleRate: Int) -> ClosedRange<Int>? {
    let channels = max(channels, 1)
    return switch encoder {
    case "libopus": 6_000...256_000 * channels
    case "libmp3lame":
      sampleRate >= 32_000 ? 32_000...320_000 : sampleRate >= 16_000 ? 8_000...160_000 : 8_000...64_000
    case "ac3", "ac3_fixed": 32_000...640_000
    case "aac": (channels > 1 ? 24_000 : 16_000)...channels * 6 * max(sampleRate, 8_000)
    default: nil
    }
  }

  /// FFmpeg's name of an encoder that may be given by codec or library: the software encoder.
  /// - Parameter name: FFmpeg's encoder names take precedence: `prores` is one.
  /// - Returns: `name` if it is not an alias.
  public static func named(_ name: String) -> String {
    if unsafe avcodec_find_encoder_by_name(name) != nil { return name }
    guard let meant = others[name.lowercased()] else { return name }
    return meant.first { unsafe avcodec_find_encoder_by_name($0) != nil } ?? meant[0]
  }

  /// Encoders that refuse odd sizes if chroma is subsampled; others repeat the last column or row.
  private static let evenOnly: Set = ["libx264", "libx265", "libsvtav1"]
  /// Sources: x265, `x265_check_params`; SVT-AV1, `svt_av1_verify_settings`.
  private static let leastSizes = ["libx265": Size(width: 16, height: 16), "libsvtav1": Size(width: 64, height: 64)]
  /// Source: SVT-AV1, `svt_av1_verify_settings`.
  private static let frameRates = ["libsvtav1": 240.0]

  /// The first requirement of an encoder that a video does not meet; nil: none known.
  static func brokenLimit(of encoder: String, _ settings: MediaWriter.Settings) -> EncoderLimit? {
    let (size, layout) = (settings.size, settings.layout)
    let isEven = size.width % (1 << layout.chromaShiftX) == 0 && size.height % (1 << layout.chromaShiftY) == 0
    if !isEven, evenOnly.contains(encoder) || HardwareEncoder(encoder) != nil { return .evenSize }
    if let least = leastSizes[encoder], size.width < least.width || size.height < least.height {
      return .leastSize(least)
    }
    if let rate = settings.frameRate?.value, let limit = frameRates[encoder], rate > limit { return .frameRate(limit) }
    return nil
  }

  /// Number of frames that must follow the last picture of a piece of a stream, so that it is coded as well as in the
  /// middle.
  /// - Parameters:
  ///   - name: FFmpeg's name of the encoder.
  ///   - preset: Its preset; nil: its default.
  ///   - options: Options by the encoder's names.
  /// - Returns: 0 for encoders that do not benefit: x265's lookahead stops at the first frame with a forced type, and
  ///   SVT-AV1 can only be forced to key frames.
  ///
  /// Source: x264 r3095, common/base.c: rc-lookahead of the presets.
  public static func lookahead(_ name: String, preset: String?, options: [(String, String)]) -> Int {
    guard name == "libx264" else { return 0 }
    let frames = [
      "ultrafast": 0, "superfast": 0, "veryfast": 10, "faster": 20, "fast": 30, "medium": 40, "slow": 50, "slower": 60,
      "veryslow": 60, "placebo": 60,
    ]
    func stated(_ option: String) -> Int? {
      options.last { $0.0.replacing("_", with: "-") == option }.flatMap { Int($0.1) }
    }
    let lookahead = stated("rc-lookahead") ?? frames[preset ?? "medium"] ?? 60
    // A mini-GOP may begin at the last of these frames.
    return min(max(lookahead, 0), 250) + min(max(stated("bframes") ?? 16, 0), 16) + 1
  }

  /// Whether an encoder codes every picture independently or losslessly, without allocating bits over time.
  /// - Parameter name: FFmpeg's name of the encoder.
  public static func sharesNoBits(_ name: String) -> Bool {
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      let descriptor = unsafe avcodec_descriptor_get(codec.pointee.id)
    else { return false }
    return unsafe descriptor.pointee.props & AV_CODEC_PROP_INTRA_ONLY != 0 || isLossless(name)
  }

  /// Whether Matroska stores the coded pictures of an encoder unchanged.
  /// - Parameter name: FFmpeg's name of the encoder.
  public static func isHeldByMatroska(_ name: String) -> Bool {
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      let matroska = unsafe av_guess_format("matroska", nil, nil)
    else { return false }
    let id = unsafe codec.pointee.id
    if id == AV_CODEC_ID_RAWVIDEO || id == AV_CODEC_ID_WRAPPED_AVFRAME { return false }
    return unsafe avformat_query_codec(matroska, id, FF_COMPLIANCE_NORMAL) == 1
  }
}

/// A requirement of an encoder that pictures do not meet.
public enum EncoderLimit: Sendable, Hashable {
  /// Width and height must be even, because chroma is subsampled.
  case evenSize
  /// Minimum picture size.
  case leastSize(Size)
  /// Maximum frames per second.
  case frameRate(Double)
}

extension MediaWriter {
  /// Whether a container holds coded pictures rather than hashes or samples of them.
  /// - Parameters:
  ///   - url: The output.
  ///   - format: FFmpeg's name of the container; nil: chosen by the file name.
  public static func writesPackets(url: String, format: String?) -> Bool {
    guard let muxer = try? unsafe muxer(url: url, format: format) else { return false }
    let id = unsafe muxer.pointee.video_codec
    let isFile = unsafe muxer.pointee.flags & AVFMT_NOFILE == 0
    return isFile && id != AV_CODEC_ID_RAWVIDEO && id != AV_CODEC_ID_WRAPPED_AVFRAME && id != AV_CODEC_ID_NONE
  }
}
