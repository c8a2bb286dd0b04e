internal import Bitstreams
internal import CFFmpeg
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
    guard let codec = CodecString(initialization: initialization) else {
      throw .failure(.writeHeader, settings.name, hr_error_invalid_data())
    }
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
    guard let base = time.timeBase.native else {
      throw .failure(.encode, settings.name, hr_error_of_system(EDOM))
    }
    let stated = av_rescale_q(time.presentation, base, Self.nativeTimeBase)
    let presentation = last.map { max(stated, $0.presentation + 1) } ?? stated
    guard Self.times.contains(presentation) else {
      throw .failure(.encode, settings.name, hr_error_of_system(ERANGE))
    }
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
      guard let place = waiting.firstIndex(where: { $0.presentation == presentation }) else {
        throw .failure(.encode, settings.name, hr_error_invalid_data())
      }
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
}
