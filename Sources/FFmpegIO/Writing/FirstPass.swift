internal import CFFmpeg
public import Frames
public import Media

/// Encodes frames to find out how many bits each one needs. A `MediaWriter` with the same settings then encodes them
/// again, using these statistics. The coded pictures are discarded.
public final class FirstPass: FrameSink, @unchecked Sendable {
  // @unchecked: one thread writes, and another calls `finish()` after it has ended.
  private let settings: MediaWriter.Settings
  private let statistics: PassStatistics
  private let pool: PicturePool
  private var encoder: Encoder?
  private var timeline: Timeline
  /// The encoder's latest text, which it may return twice.
  private var latest = ""
  private var frames = 0

  /// Opens the encoder.
  /// - Parameters:
  ///   - settings: Settings of the file, with an average bit rate.
  ///   - statistics: Receives the results.
  /// - Throws: `FFmpegError` that states which setting is unsupported.
  public init(_ settings: MediaWriter.Settings, _ statistics: PassStatistics) throws(FFmpegError) {
    FFmpegLog.prepare()
    var settings = settings
    settings.pass = .first(statistics)
    (self.settings, self.statistics) = (settings, statistics)
    let format = try unsafe MediaWriter.muxer(url: settings.url, format: settings.format)
    let wantsGlobalHeader = unsafe format.pointee.flags & AVFMT_GLOBALHEADER != 0
    let encoder = try Encoder(
      settings, name: settings.encoderName(forFormat: unsafe text(format.pointee.name) ?? "") ?? "",
      wantsGlobalHeader: wantsGlobalHeader)
    pool = try PicturePool(size: settings.size, layout: settings.layout, format: encoder.format)
    timeline = Timeline(
      timeBase: unsafe encoder.context.pointee.time_base, origin: settings.timeOrigin,
      keepsTimes: try MediaWriter.keepsTimes(url: settings.url, format: settings.format))
    self.encoder = encoder
  }

  /// An empty frame that is encoded without a copy; as `MediaWriter.makeFrame`.
  /// - Throws: `FFmpegError.outOfMemory`.
  public func makeFrame(time: FrameTime, fieldOrder: FieldOrder? = nil) throws(FFmpegError) -> CodedFrame {
    try pool.frame(time: time, color: settings.color, fieldOrder: fieldOrder, metadata: HDRMetadata(), captions: [])
  }

  /// Encodes a frame.
  /// - Throws: `FFmpegError`.
  public func write(_ frame: CodedFrame) throws {
    guard let encoder else { throw FFmpegError.closed(path: settings.url) }
    let picture = try pool.picture(of: frame, for: settings)
    let (presentation, duration) = timeline.place(frame.time)
    unsafe picture.frame.pointee.pts = presentation
    unsafe hr_frame_set_duration(picture.frame, duration)
    try unsafe encoder.send(picture.frame)
    frames += 1
    try drain(encoder)
  }

  /// Ignored: only frames count.
  public func pass(_ data: any PassingData) {}

  /// Encodes the pending frames and closes the encoder, which completes the statistics.
  /// - Throws: `FFmpegError`.
  public func finish() throws(FFmpegError) {
    guard let name = try end() else { return }
    try check(name)
  }

  /// - Returns: The name of the closed encoder, which has closed its files; nil if it was closed before.
  private func end() throws(FFmpegError) -> String? {
    guard let encoder else { return nil }
    defer { self.encoder = nil }
    try unsafe encoder.send(nil)
    try drain(encoder)
    return encoder.name
  }

  private func check(_ name: String) throws(FFmpegError) {
    guard PassStatistics.Form(name) == .file else { return }
    let known = try statistics.framesInFile()
    if known < frames { throw .incompleteStatistics(path: settings.url, frames: known, of: frames) }
  }

  private func drain(_ encoder: Encoder) throws(FFmpegError) {
    var packet = unsafe av_packet_alloc()
    guard let received = unsafe packet else { throw .outOfMemory }
    defer { unsafe av_packet_free(&packet) }
    while try unsafe encoder.receive(into: received) {
      collect(encoder)
      unsafe av_packet_unref(received)
    }
    // Some encoders return all statistics at the end, without a packet.
    collect(encoder)
  }

  private func collect(_ encoder: Encoder) {
    guard let found = encoder.passText, found != latest else { return }
    latest = found
    statistics.append(found)
  }
}
