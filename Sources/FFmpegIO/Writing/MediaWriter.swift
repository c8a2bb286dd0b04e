internal import CFFmpeg
public import Frames
public import Media
internal import Synchronization

/// Encodes frames to a file, or to standard output, along with streams of a source.
///
/// The file appears under its name only when `finish()` has succeeded. Calls block: keep them off Swift's cooperative
/// pool.
public final class MediaWriter: @unchecked Sendable {
  // @unchecked: all mutable state is accessed inside `lock`, except for the atomic count.

  /// What is written, and how.
  public let settings: Settings
  /// FFmpeg's name of the container that was chosen.
  public let formatName: String
  /// FFmpeg's name of the encoder that was chosen.
  public let encoderName: String

  private let lock = Mutex(())
  private let pool: PicturePool
  private let file: OutputFile
  private var output: WriterOutput?
  private var moved = 0
  private var shift = 0.0
  private var coded: [(presentation: Int64, duration: Int64)] = []
  private let written = Atomic(0)

  /// Opens the encoder and the file, and writes the header.
  /// - Throws: `FFmpegError` that says which setting is unsupported; nothing is left behind.
  public init(_ settings: Settings) throws(FFmpegError) {
    FFmpegLog.prepare()
    self.settings = settings
    let format = try unsafe Self.muxer(url: settings.url, format: settings.format)
    formatName = unsafe text(format.pointee.name) ?? "unknown"
    guard
      let name = settings.encoder
        ?? Encoders.defaultEncoder(forFormat: formatName, layout: settings.layout, color: settings.color)
    else { throw .unknownEncoder(name: "default of \(formatName)", available: Encoders.similar(to: "")) }
    encoderName = name
    let wantsGlobalHeader = unsafe format.pointee.flags & AVFMT_GLOBALHEADER != 0
    let encoder = try Encoder(settings, name: name, wantsGlobalHeader: wantsGlobalHeader)
    pool = try PicturePool(size: settings.size, layout: settings.layout, format: encoder.format)
    let muxer = try unsafe Muxer(format, url: settings.url, replaces: settings.replacesFile)
    file = muxer.file
    if settings.insistsOnMetadata, muxer.isReadable, !muxer.holdsMetadata, !encoder.writesMetadata {
      throw .notHeld(format: formatName, encoder: name, what: settings.metadata.words)
    }
    output = try WriterOutput(encoder, muxer, settings)
  }

  /// An empty frame that is written without a copy; its memory is reused afterwards.
  ///
  /// Samples are those of an earlier frame, or zero. Rows are aligned to 64 bytes. Any thread may call this.
  /// - Parameters:
  ///   - time: When it is shown.
  ///   - fieldOrder: Field order of an interlaced frame.
  ///   - metadata: Metadata of the frame within this process; the file has that of the settings.
  /// - Throws: `FFmpegError.outOfMemory`.
  public func makeFrame(
    time: FrameTime, fieldOrder: FieldOrder? = nil, metadata: HDRMetadata = HDRMetadata()
  ) throws(FFmpegError) -> CodedFrame {
    try pool.frame(time: time, color: settings.color, fieldOrder: fieldOrder, metadata: metadata)
  }

  /// Encodes a frame. Frames from `makeFrame` or a `MediaReader` are not copied.
  ///
  /// A frame whose time does not increase is moved one unit of the time base after the previous one; see `movedFrames`.
  /// - Throws: `FFmpegError` if the frame does not match the settings, or cannot be encoded or written.
  public func write(_ frame: CodedFrame) throws(FFmpegError) { try write(frame, as: .shown) }

  /// What becomes of a frame.
  public enum FrameRole: Sendable {
    /// It is written.
    case shown
    /// It is the last that is written: no picture until then refers to a later one.
    case lastShown
    /// It comes after the last: the encoder sees it, so that it spends as many bits before it as in the middle of a
    /// stream, but it is not written.
    case ahead
  }

  /// Encodes a frame.
  /// - Parameter role: What becomes of it; other than `shown` only where `Encoders.lookahead` is not 0.
  /// - Throws: As `write(_:)`.
  public func write(_ frame: CodedFrame, as role: FrameRole) throws(FFmpegError) {
    guard frame.size == settings.size, frame.layout == settings.layout else {
      throw .frameMismatch(
        expected: settings.size, expectedLayout: settings.layout, actual: frame.size, actualLayout: frame.layout)
    }
    try lock.withLock { _ throws(FFmpegError) in
      guard let output else { throw .closed(path: settings.url) }
      let picture = try picture(of: frame, format: output.encoder.format)
      let (presentation, duration) = output.timeline.place(frame.time, isShown: role != .ahead)
      if role == .lastShown { unsafe picture.frame.pointee.pict_type = AV_PICTURE_TYPE_P }
      moved = output.timeline.moved
      shift = output.timeline.largestShift
      unsafe picture.frame.pointee.pts = presentation
      unsafe hr_frame_set_duration(picture.frame, duration)
      try unsafe output.encoder.send(picture.frame)
      try drain(output)
    }
  }

  /// Writes packets of the streams that are copied or re-encoded; others are dropped.
  /// - Throws: `FFmpegError` if they cannot be written.
  public func pass(_ batch: PacketBatch) throws(FFmpegError) {
    try lock.withLock { _ throws(FFmpegError) in
      guard let output else { throw .closed(path: settings.url) }
      for packet in batch.packets { try output.streams.write(packet) }
      written.store(output.muxer.byteCount, ordering: .relaxed)
    }
  }

  /// Drains the encoder, completes the file, reads it back and renames it.
  /// - Returns: What the file is missing.
  /// - Throws: `FFmpegError`, `.notKept` if its pictures are missing or broken; the file is removed.
  @discardableResult
  public func finish() throws(FFmpegError) -> OutputLosses {
    try lock.withLock { _ throws(FFmpegError) in
      let streams = try complete()
      return try streams.commit(OutputCheck(settings, streams), path: settings.url)
    }
  }

  /// Writes everything and releases the encoder, to free its memory before the check.
  private func complete() throws(FFmpegError) -> OutputStreams {
    guard let output else { throw .closed(path: settings.url) }
    self.output = nil
    try unsafe output.encoder.send(nil)
    try drain(output)
    try output.streams.finishTranscoders()
    try output.muxer.finish()
    written.store(output.muxer.byteCount, ordering: .relaxed)
    moved += output.streams.movedPackets
    coded = output.timeline.coded
    return output.streams
  }

  /// Closes and removes the incomplete file. Does nothing after `finish()`.
  public func cancel() { lock.withLock { _ in output = nil } }

  /// Keeps what has been written of a file that cannot be finished, under a name that says so: a live recording cannot be made again.
  /// - Returns: The name; nil if nothing was kept.
  public func keepIncomplete() -> String? { file.keepIncomplete() }

  /// Removes the unfinished file at once, whatever other threads are doing; for a process that is about to exit.
  public func discard() { file.discard() }

  /// Bytes written so far, for progress; the size of packets if there is no file.
  public var bytesWritten: Int { written.load(ordering: .relaxed) }

  /// Frames and packets that were moved because their time did not increase.
  public var movedFrames: Int { lock.withLock { _ in moved } }

  /// The times of all frames as they were coded, in units of the settings' time base, once the file is finished. With
  /// them, a file that rounds times is as good as one that does not.
  public var codedTimes: (presentations: CodedTimes, durations: CodedTimes) {
    lock.withLock { _ in (CodedTimes(coded.map(\.presentation)), CodedTimes(coded.map(\.duration))) }
  }

  /// The maximum change in seconds of a frame's time. Some encoders and containers only count frames.
  public var largestShift: Double { lock.withLock { _ in shift } }

  /// Writes the packets that are ready.
  private func drain(_ output: WriterOutput) throws(FFmpegError) {
    while try unsafe output.encoder.receive(into: output.packet) {
      let presentation = unsafe output.packet.pointee.pts
      unsafe output.packet.pointee.dts = output.timeline.takeDecodingTime(
        output.packet.pointee.dts, presentation: presentation)
      unsafe output.packet.pointee.duration = output.timeline.takeDuration(at: presentation)
      if output.timeline.isAhead(presentation) {
        unsafe av_packet_unref(output.packet)
        continue
      }
      try unsafe output.muxer.write(
        output.packet, to: output.streams.video, timeBase: output.timeline.timeBase, later: output.timeline.remainder)
    }
    written.store(output.muxer.byteCount, ordering: .relaxed)
  }

  /// The frame for the encoder: over the same memory if it is FFmpeg's, otherwise a copy.
  private func picture(of frame: CodedFrame, format: AVPixelFormat) throws(FFmpegError) -> Picture {
    var picture: Picture
    if let owner = frame.owner as? Picture {
      guard let share = unsafe hr_frame_share(owner.frame) else { throw .outOfMemory }
      picture = unsafe Picture(adopting: share)
    } else {
      picture = try pool.copy(of: frame)
    }
    unsafe picture.frame.pointee.format = format.rawValue
    unsafe picture.frame.pointee.color_primaries = settings.color.avPrimaries
    unsafe picture.frame.pointee.color_trc = settings.color.avTransfer
    unsafe picture.frame.pointee.colorspace = settings.color.avMatrix
    unsafe picture.frame.pointee.color_range = settings.color.avRange
    unsafe picture.frame.pointee.chroma_location = settings.color.avChromaLocation
    if settings.fieldOrder != nil, let order = frame.fieldOrder {
      unsafe hr_frame_set_interlaced(picture.frame, order == .topFirst ? 1 : 0)
    }
    if let aspect = settings.sampleAspectRatio?.native { unsafe picture.frame.pointee.sample_aspect_ratio = aspect }
    return picture
  }
}

extension MediaWriter: OutputSink {
  public func pass(_ data: any PassingData) throws {
    guard let batch = data as? PacketBatch else { throw FFmpegError.unknownData(path: settings.url) }
    try pass(batch)
  }
}
