internal import CFFmpeg
internal import ColorScience
public import Frames

/// The video encoders of the linked FFmpeg.
public enum Encoders {
  /// Encoders that do not need special hardware, by name, with their supported layouts (at least one).
  public static let available: [String: [PixelLayout]] = {
    FFmpegLog.prepare()
    var result: [String: [PixelLayout]] = [:]
    var position: UnsafeMutableRawPointer?
    while let codec = unsafe av_codec_iterate(&position) {
      guard unsafe av_codec_is_encoder(codec) != 0, unsafe codec.pointee.type == AVMEDIA_TYPE_VIDEO,
        unsafe codec.pointee.capabilities & AV_CODEC_CAP_HARDWARE == 0, let name = unsafe text(codec.pointee.name)
      else { continue }
      let layouts = unsafe layouts(of: codec)
      if !layouts.isEmpty { result[name] = layouts }
    }
    return result
  }()

  /// The default encoder of a container.
  /// - Parameters:
  ///   - format: FFmpeg's name of the container.
  ///   - layout: MP4, MOV and Matroska get H.264 for 8 bit, else HEVC.
  ///   - color: PQ and HLG always get HEVC.
  /// - Returns: nil if the container has no default, or FFmpeg lacks the encoder.
  public static func defaultEncoder(
    forFormat format: String, layout: PixelLayout, color: ColorDescription
  ) -> String? {
    FFmpegLog.prepare()
    if ContainerTraits.of(format).prefersX265 {
      let isHDR = color.transfer == .pq || color.transfer == .hlg
      let name = layout.bitDepth > 8 || isHDR ? "libx265" : "libx264"
      if available[name] != nil { return name }
    }
    guard let muxer = unsafe av_guess_format(format, nil, nil),
      let codec = unsafe avcodec_find_encoder(muxer.pointee.video_codec)
    else { return nil }
    return unsafe text(codec.pointee.name)
  }

  /// The default audio encoder of a container.
  /// - Parameter format: FFmpeg's name of the container.
  /// - Returns: AAC where it is common, otherwise FFmpeg's choice; nil if the container does not support audio.
  public static func defaultAudioEncoder(forFormat format: String) -> String? {
    FFmpegLog.prepare()
    if let encoder = ContainerTraits.of(format).audioEncoder { return encoder }
    guard let muxer = unsafe av_guess_format(format, nil, nil),
      let codec = unsafe avcodec_find_encoder(muxer.pointee.audio_codec)
    else { return nil }
    return unsafe text(codec.pointee.name)
  }

  /// Whether an encoder is always lossless, without a bit rate to choose; false if it does not exist.
  public static func isLossless(_ name: String) -> Bool {
    guard let codec = unsafe avcodec_find_encoder_by_name(name),
      let properties = unsafe avcodec_descriptor_get(codec.pointee.id)?.pointee.props
    else { return false }
    return properties & AV_CODEC_PROP_LOSSLESS != 0 && properties & AV_CODEC_PROP_LOSSY == 0
  }

  /// Checks that a video encoder exists.
  /// - Throws: `FFmpegError.unknownEncoder` with similar ones.
  public static func check(_ name: String) throws(FFmpegError) { _ = try unsafe codec(named: name) }

  /// The video encoder with a name.
  /// - Throws: `FFmpegError.unknownEncoder` with similar ones.
  static func codec(named name: String) throws(FFmpegError) -> UnsafePointer<AVCodec> {
    guard let codec = unsafe avcodec_find_encoder_by_name(name), unsafe codec.pointee.type == AVMEDIA_TYPE_VIDEO
    else { throw .unknownEncoder(name: name, available: similar(to: name)) }
    return unsafe codec
  }

  /// A layout, or a similar one if the encoder does not support it: first with more bits, then with more chroma.
  /// - Parameters:
  ///   - preferred: The preferred layout, such as Y'CbCr 4:2:0.
  ///   - encoder: FFmpeg's name; if it does not exist, `preferred` is returned.
  public static func layout(near preferred: PixelLayout, for encoder: String) -> PixelLayout {
    let candidates = [10, 8].flatMap { depth in
      [.ycbcr420, .ycbcr422, .ycbcr444].map { PixelLayout($0, bitDepth: depth) }
    }
    let supported = HardwareEncoder(encoder)?.layouts ?? available[encoder]
    return ([preferred] + candidates).first { supported?.contains($0) ?? true } ?? preferred
  }

  /// Whether streams of this encoder signal interlaced frames and their field order; otherwise players treat them as
  /// progressive.
  public static func keepsFields(_ encoder: String) -> Bool {
    [
      "dnxhd", "ffv1", "libx264", "mpeg2video", "mpeg4", "prores", "prores_aw", "prores_ks", "rawvideo",
      "wrapped_avframe",
    ].contains(encoder)
  }

  /// Whether an encoder's streams can carry HDR10+: in SEI messages of HEVC, or metadata OBUs of AV1.
  public static func carriesHDR10Plus(_ encoder: String) -> Bool {
    codes([AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1], encoder)
  }

  /// Whether an encoder's streams can carry closed captions (CEA-608/708): as with HDR10+, and in SEI messages of H.264
  /// and user data of MPEG-2.
  public static func carriesCaptions(_ encoder: String) -> Bool {
    codes([AV_CODEC_ID_HEVC, AV_CODEC_ID_AV1, AV_CODEC_ID_H264, AV_CODEC_ID_MPEG2VIDEO], encoder)
  }

  private static func codes(_ codecs: [AVCodecID], _ encoder: String) -> Bool {
    FFmpegLog.prepare()
    return unsafe avcodec_find_encoder_by_name(encoder).map { unsafe codecs.contains($0.pointee.id) } ?? false
  }

  /// The layouts that an encoder supports, without duplicates.
  static func layouts(of codec: UnsafePointer<AVCodec>) -> [PixelLayout] {
    var result: [PixelLayout] = []
    for entry in unsafe formats(of: codec) where !result.contains(entry.layout) { result.append(entry.layout) }
    return result
  }

  /// The encoder's pixel format for a layout, preferably one that does not imply a range.
  static func format(of layout: PixelLayout, for codec: UnsafePointer<AVCodec>) -> AVPixelFormat? {
    let fitting = unsafe formats(of: codec).filter { $0.layout == layout }
    return (fitting.first { !$0.isFullRange } ?? fitting.first)?.format
  }

  private static func formats(of codec: UnsafePointer<AVCodec>) -> [PixelFormats.Native] {
    guard let formats = unsafe hr_encoder_formats(codec) else { return PixelFormats.native }
    var result: [PixelFormats.Native] = []
    var index = 0
    while unsafe formats[index] != AV_PIX_FMT_NONE {
      if let entry = unsafe PixelFormats.native(formats[index]) { result.append(entry) }
      index += 1
    }
    return result
  }

  /// Common encoders for a kind of stream other than video, as far as available.
  static func common(for kind: AVMediaType) -> [String] {
    let names =
      kind == AVMEDIA_TYPE_SUBTITLE
      ? ["mov_text", "subrip", "ass", "webvtt"]
      : ["aac", "libopus", "flac", "ac3", "eac3", "libmp3lame", "alac", "pcm_s24le"]
    return names.filter { unsafe avcodec_find_encoder_by_name($0) != nil }
  }

  /// Available encoders with similar names, or the common ones.
  static func similar(to name: String) -> [String] {
    let names = available.keys.sorted()
    let alike = names.filter { $0.contains(name) || name.contains($0) }
    return alike.isEmpty || name.isEmpty
      ? ["libx264", "libx265", "libsvtav1", "prores_ks", "ffv1"].filter(names.contains) : alike
  }
}
