internal import CFFmpeg
internal import Files
public import Frames
internal import Glibc
public import Media
internal import Synchronization

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

/// First-pass statistics for the second pass: a text, or files beside the output.
public final class PassStatistics: Sendable {
  /// The form of an encoder's statistics.
  enum Form {
    /// A file that the library writes and reads.
    case file
    /// `stats_out` and `stats_in` of FFmpeg's codec context.
    case text

    /// - Returns: nil for an encoder without two passes.
    init?(_ encoder: String) {
      switch encoder {
      case "libx264", "libx264rgb", "libx265": self = .file
      // FFmpeg's native encoders, such as mpeg4, are excluded: at too low a rate, their second pass corrupts memory
      // (5.1).
      case "libaom-av1", "libvpx", "libvpx-vp9", "libtheora": self = .text
      default: return nil
      }
    }
  }

  /// A pass that uses the statistics.
  public enum Pass: Sendable {
    /// Writes the statistics.
    case first(PassStatistics)
    /// Reads the statistics.
    case second(PassStatistics)

    var statistics: PassStatistics {
      switch self {
      case .first(let statistics), .second(let statistics): statistics
      }
    }

    var isFirst: Bool { if case .first = self { true } else { false } }
  }

  private let output: HeldOutput
  private let collected = Mutex("")

  /// Reserves the output and places files beside it: a 4K film needs gigabytes.
  /// - Throws: `FFmpegError.output` if files cannot be written there.
  public init(for settings: MediaWriter.Settings) throws(FFmpegError) {
    do { output = try HeldOutput(settings.url, replaces: settings.replacesFile) } catch { throw .output(error) }
  }

  /// Removes all files, from any thread.
  public func discard() { output.release() }

  /// The library's statistics file; some libraries add files whose names begin with it.
  var path: String { output.path("statistics") }

  /// Number of frames in the file. x264 and x265 write a numbered line for each, and miss some write errors.
  /// - Throws: `FFmpegError.output` if it cannot be read.
  func framesInFile() throws(FFmpegError) -> Int {
    let descriptor = unsafe open(path.systemName, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { throw .output(.system(.read, path)) }
    defer { close(descriptor) }
    // A device would never end.
    guard FileStatus(descriptor: descriptor)?.kind == .regular else { return 0 }
    let mark = Array("in:".utf8)
    var (count, line) = (0, [UInt8]())
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let length = unsafe block.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      if length < 0, errno == EINTR { continue }
      if length < 0 { throw .output(.system(.read, path)) }
      if length == 0 { return count }
      for byte in block[..<length] {
        if byte == UInt8(ascii: "\n") {
          line.removeAll(keepingCapacity: true)
        } else if line.count < mark.count {
          line.append(byte)
          if line == mark { count += 1 }
        }
      }
    }
  }

  /// The text collected so far.
  var text: String { collected.withLock { $0 } }

  func append(_ text: String) { collected.withLock { $0 += text } }
}
