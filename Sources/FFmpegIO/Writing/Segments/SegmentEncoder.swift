internal import Bitstreams
internal import CFFmpeg
internal import ColorScience
public import Frames

/// Encodes frames as they arrive, each to a separate media segment, for players with Media Source Extensions.
///
/// No picture is held back: `write` returns the frame's segment. One thread at a time uses an encoder.
public final class SegmentEncoder {
  /// Stream times are in microseconds, exactly.
  static let timeBase = Rational(1, 1_000_000)
  static let nativeTimeBase = AVRational(num: 1, den: 1_000_000)
  /// Times in microseconds that players can represent exactly, as IEEE 754 doubles.
  private static let times: ClosedRange<Int64> = 0...1 << 53

  /// A picture in the encoder.
  private struct Waiting {
    let presentation: Int64
    let duration: UInt32
    let capturedAt: Double
  }

  /// The stream and its settings.
  public let settings: Settings
  /// `ftyp` and `moov`: what a player needs before its first segment.
  public let initialization: [UInt8]
  /// Media type of the stream with its codec: `video/mp4; codecs="..."`.
  public let contentType: String

  private let encoder: Encoder
  private let pool: PicturePool
  private let forEncoder: MediaWriter.Settings
  private let packet: PacketBuffer
  private var waiting: [Waiting] = []
  private var last: (presentation: Int64, duration: UInt32)?
  private var lastKey: Int64?
  private var sequence = 0
  private var hasEnded = false

  /// Opens the encoder.
  /// - Throws: `FFmpegError` that states which setting is unsupported.
  public init(_ settings: Settings) throws(FFmpegError) {
    FFmpegLog.prepare()
    try settings.check()
    self.settings = settings
    forEncoder = settings.forEncoder
    let name = settings.codec.encoder
    encoder = try Encoder(forEncoder, name: name, wantsGlobalHeader: true)
    pool = try PicturePool(size: settings.size, layout: settings.layout, format: encoder.format)
    packet = try PacketBuffer()
    let isConfigured = unsafe encoder.context.pointee.extradata_size > 0
    let header = isConfigured ? nil : try SequenceHeader(forEncoder, name: name).bytes
    initialization = try StreamInitialization(encoder, settings, sequenceHeader: header).bytes
    guard let codec = CodecString(initialization: initialization)
    else { throw .failure(.writeHeader, settings.name, hr_error_invalid_data()) }
    contentType = "video/mp4; codecs=\"\(codec.text)\""
  }

  /// Encodes a frame.
  ///
  /// A frame becomes a key frame on request, after `Settings.keyInterval`, and after a gap: players wait for a key
  /// frame if a frame begins more than two durations after the one before. Source: Media Source Extensions (W3C), Coded
  /// Frame Processing.
  /// - Parameters:
  ///   - frame: A frame in the size and layout of the settings, with a stream time; one that does not increase is moved
  ///     one microsecond after the last.
  ///   - capturedAt: Unix time in seconds.
  ///   - isKey: Requests a key frame.
  /// - Returns: The frame's segment.
  /// - Throws: `FFmpegError` if the frame does not fit, its time is negative, or the encoder fails; `.closed` after
  ///   `flush`.
  public func write(
    _ frame: CodedFrame, capturedAt: Double, isKey: Bool
  ) throws(FFmpegError) -> [MediaSegment] {
    if hasEnded { throw .closed(path: settings.name) }
    guard frame.size == settings.size, frame.layout == settings.layout else {
      throw .frameMismatch(
        expected: settings.size, expectedLayout: settings.layout, actual: frame.size, actualLayout: frame.layout)
    }
    let (presentation, duration) = try place(frame.time)
    let picture = try pool.picture(of: frame, for: forEncoder)
    unsafe picture.frame.pointee.pts = presentation
    unsafe hr_frame_set_duration(picture.frame, Int64(duration))
    if isKey || wantsKey(at: presentation) {
      unsafe picture.frame.pointee.pict_type = AV_PICTURE_TYPE_I
      lastKey = presentation
    }
    last = (presentation, duration)
    try unsafe encoder.send(picture.frame)
    waiting.append(Waiting(presentation: presentation, duration: duration, capturedAt: capturedAt))
    return try drain()
  }

  /// Ends the stream.
  /// - Returns: The remaining segments.
  /// - Throws: `FFmpegError` if the encoder fails.
  public func flush() throws(FFmpegError) -> [MediaSegment] {
    if hasEnded { return [] }
    hasEnded = true
    try unsafe encoder.send(nil)
    return try drain()
  }

  /// The time of the next frame in the units of the stream.
  private func place(_ time: FrameTime) throws(FFmpegError) -> (presentation: Int64, duration: UInt32) {
    guard let base = time.timeBase.native
    else { throw .failure(.encode, settings.name, hr_error_of_system(EDOM)) }
    let stated = av_rescale_q(time.presentation, base, Self.nativeTimeBase)
    let presentation = last.map { max(stated, $0.presentation + 1) } ?? stated
    guard Self.times.contains(presentation)
    else { throw .failure(.encode, settings.name, hr_error_of_system(ERANGE)) }
    let nominal = Int64((Double(Self.timeBase.denominator) / settings.frameRate.value).rounded())
    let duration = time.duration > 0 ? av_rescale_q(time.duration, base, Self.nativeTimeBase) : nominal
    return (presentation, UInt32(clamping: max(duration, 1)))
  }

  private func wantsKey(at presentation: Int64) -> Bool {
    guard let last, let lastKey else { return true }
    let interval = (settings.keyInterval * Double(Self.timeBase.denominator)).rounded()
    return presentation - last.presentation > 2 * Int64(last.duration) || Double(presentation - lastKey) >= interval
  }

  private func drain() throws(FFmpegError) -> [MediaSegment] {
    var segments: [MediaSegment] = []
    while try unsafe encoder.receive(into: packet.pointer) {
      let presentation = unsafe packet.pointer.pointee.pts
      guard let place = waiting.firstIndex(where: { $0.presentation == presentation })
      else { throw .failure(.encode, settings.name, hr_error_invalid_data()) }
      segments.append(segment(of: waiting.remove(at: place)))
    }
    return segments
  }

  /// The segment of the picture in the packet.
  private func segment(of picture: Waiting) -> MediaSegment {
    defer { unsafe av_packet_unref(packet.pointer) }
    sequence += 1
    let data = unsafe UnsafeBufferPointer(
      start: packet.pointer.pointee.data, count: Int(packet.pointer.pointee.size))
    let isKey = unsafe packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
    let time = UInt64(picture.presentation)
    let reference = ProducerReferenceTime(
      track: MovieFragment.track, capturedAt: picture.capturedAt, mediaTime: time)
    let fragment = unsafe MovieFragment(
      sequence: sequence, time: time, duration: picture.duration, isKey: isKey,
      sample: CodedSample(data.span, isAV1: settings.codec == .av1).bytes)
    return MediaSegment(bytes: reference.box + fragment.bytes, isKey: isKey, sequence: sequence)
  }

  /// The stream and its settings.
  public struct Settings: Sendable, Hashable {
    /// The codec.
    public var codec: StreamCodec
    /// Size of the picture in luma samples: even, 16 to 8192.
    public var size: Size
    /// Planar Y'CbCr 4:2:0 of 8 or 10 bits.
    public var layout: PixelLayout
    /// Colour tags of the stream.
    public var color: ColorDescription
    /// Mastering display and content light, for the stream and its description.
    public var metadata = HDRMetadata()
    /// Nominal frame rate; determines the duration of frames that state none.
    public var frameRate: Rational
    /// Sample aspect ratio; nil: square.
    public var sampleAspectRatio: Rational?
    /// Threads of the encoder; 0: the encoder's choice.
    public var threads = 0
    /// Maximum seconds of the stream between key frames, even without requests.
    public var keyInterval = 2.0

    /// Other properties are optional, with their documented defaults.
    public init(
      codec: StreamCodec, size: Size, layout: PixelLayout, color: ColorDescription, frameRate: Rational
    ) {
      (self.codec, self.size, self.layout, self.color, self.frameRate) = (codec, size, layout, color, frameRate)
    }
  }
}

extension SegmentEncoder.Settings {
  private static let extents = 16...8192
  private static let rates = 0.01...1000
  /// Pictures smaller than x265's largest block need smaller blocks.
  private static let blockSize = 32

  /// The name of the stream in errors.
  var name: String { "\(codec.rawValue) stream" }

  /// - Throws: `FFmpegError.unsupportedSize`, `.unsupportedLayout`, `.encoderRejected` for the frame rate.
  func check() throws(FFmpegError) {
    let sides = [size.width, size.height]
    guard sides.allSatisfy({ Self.extents.contains($0) && $0.isMultiple(of: 2) })
    else { throw .unsupportedSize(size, path: name) }
    let layouts = [8, 10].map { PixelLayout(.ycbcr420, bitDepth: $0) }
    guard layouts.contains(layout)
    else { throw .unsupportedLayout(encoder: codec.encoder, wanted: layout, supported: layouts) }
    guard let rate = frameRate.native, Self.rates.contains(rate.rational.value) else {
      let limits = "\(Self.rates.lowerBound) to \(Self.rates.upperBound)"
      throw .encoderRejected(encoder: codec.encoder, message: "the frame rate \(frameRate) is not \(limits)")
    }
  }

  /// Settings for `Encoder`: no delay, and key frames only on request.
  var forEncoder: MediaWriter.Settings {
    var settings = MediaWriter.Settings(
      url: name, format: "mp4", encoder: codec.encoder, size: size, layout: layout,
      timeBase: SegmentEncoder.timeBase, frameRate: frameRate, color: color)
    settings.metadata = metadata
    settings.sampleAspectRatio = sampleAspectRatio
    settings.threads = threads
    (settings.preset, settings.crf, settings.encoderOptions) = coding
    return settings
  }

  /// Almost visually lossless: these streams are used to judge pictures.
  private var coding: (preset: String, crf: Double, options: [(String, String)]) {
    switch codec {
    case .h264: ("superfast", 18, [("tune", "zerolatency"), ("keyint", "infinite"), ("scenecut", "0")])
    case .hevc:
      // FFmpeg would use `threads` as the number of frames encoded at a time. With open GOPs, requested key frames
      // would be CRA pictures.
      (
        "ultrafast", 18,
        [
          ("tune", "zerolatency"), ("frame-threads", "1"), ("forced-idr", "1"), ("keyint", "-1"), ("scenecut", "0"),
          ("open-gop", "0"), ("info", "0"),
        ] + (min(size.width, size.height) < Self.blockSize ? [("ctu", "16")] : [])
      )
    case .av1:
      // The preset is FFmpeg's limit; the library's options go beyond it.
      (
        "8", 14,
        [
          ("usage", "realtime"), ("lag-in-frames", "0"), ("row-mt", "1"), ("g", "1000000"),
          ("aom-params", "cpu-used=10:tile-columns=1:chroma-sample-position=\(color.chromaLocation.av1Text)"),
        ]
      )
    }
  }
}
