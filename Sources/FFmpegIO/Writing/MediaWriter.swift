internal import CFFmpeg
internal import Files
public import Frames
public import Media

/// Encodes frames to a file, or to standard output, along with streams of a source.
///
/// The file appears under its name only when `finish()` has succeeded. Calls block: keep them off Swift's cooperative
/// pool.
public final class MediaWriter: OutputSink {
  /// The output and its settings.
  public let settings: Settings
  /// FFmpeg's name of the selected container.
  public let formatName: String
  /// FFmpeg's name of the selected encoder.
  public let encoderName: String

  private let pool: PicturePool
  private let output: OpenOutput<WriterOutput>

  /// Opens the encoder and the file, and writes the header.
  /// - Throws: `FFmpegError` that states which setting is unsupported; nothing is left behind.
  public init(_ settings: Settings) throws(FFmpegError) {
    FFmpegLog.prepare()
    self.settings = settings
    let format = try unsafe Self.muxer(url: settings.url, format: settings.format)
    formatName = unsafe text(format.pointee.name) ?? "unknown"
    guard let name = settings.encoderName(forFormat: formatName)
    else { throw .holdsNoVideo(format: formatName) }
    encoderName = name
    try Self.check(encoder: name, url: settings.url, format: settings.format)
    if !Self.holds(settings.layout, format: formatName) {
      throw .codecNotHeld(
        format: formatName, encoder: name, codec: settings.layout.words, holders: ["nut", "matroska"])
    }
    let wantsGlobalHeader = unsafe format.pointee.flags & AVFMT_GLOBALHEADER != 0
    let encoder = try Encoder(settings, name: name, wantsGlobalHeader: wantsGlobalHeader)
    pool = try PicturePool(size: settings.size, layout: settings.layout, format: encoder.format)
    let muxer = try unsafe Muxer(
      format, url: settings.url, replaces: settings.replacesFile, reading: settings.inputs, isLive: settings.isLive)
    if settings.insistsOnMetadata, muxer.isReadable, !muxer.traits.holdsStaticMetadata, !encoder.writesMetadata {
      throw .notHeld(format: formatName, encoder: name, what: settings.metadata.words)
    }
    if settings.copiesHDR10Plus, !Encoders.carriesHDR10Plus(name) {
      throw .notHeld(format: formatName, encoder: name, what: ["HDR10+"])
    }
    output = OpenOutput(
      settings, try WriterOutput(encoder, muxer, settings, wantsGlobalHeader: wantsGlobalHeader))
  }

  /// Opens the encoder, begins the file and removes it, to detect errors before a later run. Does nothing for outputs
  /// that cannot be opened twice, such as pipes.
  /// - Throws: As `init(_:)`.
  public static func tryOut(_ settings: Settings) throws(FFmpegError) {
    guard writesPackets(url: settings.url, format: settings.format), let path = MediaName.path(settings.url),
      FileStatus(path).map({ $0.kind == .regular }) ?? true
    else { return }
    try MediaWriter(settings).cancel()
  }

  /// An empty frame that is written without copying; its memory is reused afterwards.
  ///
  /// Samples are left over from an earlier frame, or zero. Rows are aligned to 64 bytes. Any thread may call this.
  /// - Parameters:
  ///   - time: When it is shown.
  ///   - fieldOrder: Field order of an interlaced frame.
  ///   - metadata: Metadata of the frame; the file gets only its HDR10+, if the settings copy it.
  ///   - captions: Closed captions, written if `Encoders.carriesCaptions`.
  /// - Throws: `FFmpegError.outOfMemory`.
  public func makeFrame(
    time: FrameTime, fieldOrder: FieldOrder? = nil, metadata: HDRMetadata = HDRMetadata(), captions: [UInt8] = []
  ) throws(FFmpegError) -> CodedFrame {
    try pool.frame(
      time: time, color: settings.color, fieldOrder: fieldOrder, metadata: metadata, captions: captions)
  }

  /// Encodes a frame. Frames from `makeFrame` or a `MediaReader` are not copied.
  ///
  /// A frame whose time does not increase is moved one unit of the time base after the previous one; see `movedFrames`.
  /// - Throws: `FFmpegError` if the frame does not match the settings, or cannot be encoded or written.
  public func write(_ frame: CodedFrame) throws(FFmpegError) { try write(frame, as: .shown) }

  /// The role of a frame.
  public enum FrameRole: Sendable {
    /// The frame is written.
    case shown
    /// The last frame that is written: no picture up to it refers to a later one.
    case lastShown
    /// A frame after the last: the encoder sees it, so that earlier frames get as many bits as in the middle of a
    /// stream, but it is not written.
    case ahead
  }

  /// Encodes a frame.
  /// - Parameters:
  ///   - frame: As for `write(_:)`.
  ///   - role: Role of the frame; other than `shown` only if `Encoders.lookahead` is not 0.
  /// - Throws: As `write(_:)`.
  public func write(_ frame: CodedFrame, as role: FrameRole) throws(FFmpegError) {
    guard frame.size == settings.size, frame.layout == settings.layout else {
      throw .frameMismatch(
        expected: settings.size, expectedLayout: settings.layout, actual: frame.size, actualLayout: frame.layout)
    }
    try output.use { output throws(FFmpegError) in
      let message = settings.copiesHDR10Plus ? frame.metadata.hdr10PlusMessage : nil
      try output.write(
        pool.picture(of: frame, for: settings), at: frame.time, as: role, hdr10Plus: message, captions: frame.captions)
    }
  }

  /// Writes packets of the streams that are copied or re-encoded; others are dropped.
  /// - Throws: `FFmpegError` if they cannot be written.
  public func pass(_ batch: PacketBatch) throws(FFmpegError) { try output.pass(batch) }

  /// Drains the encoder, completes the file, reads it back and renames it.
  /// - Returns: What the file is missing.
  /// - Throws: `FFmpegError`, `.notKept` if its pictures are missing or broken; the file is removed.
  @discardableResult
  public func finish() throws(FFmpegError) -> OutputLosses { try output.finish() }

  /// The same for a film that was stopped early: the file, playable up to that point, is named "film.partial.mkv"
  /// instead of "film.mkv". An earlier partial file is replaced, unless another program wrote it.
  /// - Parameter keepsName: The file is named "film.mkv", and marked by an extended attribute.
  /// - Throws: As `finish()`.
  public func finishPartial(keepsName: Bool = false) throws(FFmpegError) -> OutputLosses {
    try output.finish(as: keepsName ? .marked : .partial)
  }

  /// Closes and removes the incomplete file. Does nothing after `finish()`.
  public func cancel() { output.cancel() }

  /// Keeps an unfinishable file under a partial name: a live recording cannot be made again.
  /// - Returns: The name; nil if nothing was kept.
  public func keepPartial() -> String? { output.keepPartial() }

  /// Removes the unfinished file at once, unless it is live, regardless of other threads; for a process about to exit.
  public func discard() { output.discard() }

  /// Bytes written so far, for progress; the size of packets if the output is not a file.
  public var bytesWritten: Int { output.bytesWritten }

  /// Frames and packets that were moved because their time did not increase.
  public var movedFrames: Int { output.report.moved }

  /// The maximum change in seconds of a frame's time. Some encoders and containers only count frames.
  public var largestShift: Double { output.report.largestShift }

  /// The exact times of all written frames; nil unless the settings have a `timeOrigin`.
  public var pieceTimes: PieceTimes? { output.report.table }

  public func pass(_ data: any PassingData) throws {
    guard let batch = data as? PacketBatch else { throw FFmpegError.unknownData(path: settings.url) }
    try pass(batch)
  }
}
