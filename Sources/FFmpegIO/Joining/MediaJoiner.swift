internal import CFFmpeg
internal import Frames
public import Media
internal import Synchronization

/// Writes an output whose pictures are coded already, in pieces, along with streams of a source.
///
/// With the same settings, the file is that of a `MediaWriter`. It appears under its name only when `finish()` has
/// succeeded. Calls block: keep them off Swift's cooperative pool.
public final class MediaJoiner: @unchecked Sendable {
  // @unchecked: all mutable state is accessed inside `lock`, except for the atomic count.
  private let settings: MediaWriter.Settings
  private let file: OutputFile
  private let timeBase: AVRational
  /// What the times of the pictures lack, because the encoder's grid began with the first of them.
  private let remainder: FrameTime?
  private let lock = Mutex(())
  private var streams: OutputStreams?
  private let written = Atomic(0)

  /// Opens the file and writes the header.
  /// - Parameters:
  ///   - settings: Those of a `MediaWriter` that would encode the pictures.
  ///   - piece: The stream of the first piece: the configuration of the encoder.
  /// - Throws: `FFmpegError`; nothing is left behind.
  public init(_ settings: MediaWriter.Settings, like piece: StreamCopy) throws(FFmpegError) {
    FFmpegLog.prepare()
    self.settings = settings
    let format = try unsafe MediaWriter.muxer(url: settings.url, format: settings.format)
    guard let timeBase = settings.timeBase.native else {
      throw .encoderRejected(encoder: piece.codecName, message: "the time base \(settings.timeBase) is not a fraction")
    }
    self.timeBase = timeBase
    let muxer = try unsafe Muxer(format, url: settings.url, replaces: settings.replacesFile)
    file = muxer.file
    let keepsTimes = try MediaWriter.keepsTimes(url: settings.url, format: settings.format)
    remainder = settings.gridOrigin.flatMap { keepsTimes ? Timeline.remainder(of: $0, timeBase: timeBase) : nil }
    streams = try OutputStreams(muxer, settings) { () throws(FFmpegError) in
      try muxer.add(coded: piece, timeBase: timeBase, settings)
    }
  }

  /// Writes the next coded picture, in decoding order.
  /// - Parameters:
  ///   - packet: Of a piece with the configuration of the first.
  ///   - presentation: When it is shown, in units of the settings' time base.
  ///   - decoding: When it is decoded.
  ///   - duration: How long it is shown; 0 if that is not known.
  /// - Throws: `FFmpegError` if it cannot be written.
  public func write(_ packet: Packet, presentation: Int64, decoding: Int64, duration: Int64) throws(FFmpegError) {
    try lock.withLock { _ throws(FFmpegError) in
      guard let streams else { throw .closed(path: settings.url) }
      unsafe packet.packet.pointee.pts = presentation
      unsafe packet.packet.pointee.dts = decoding
      unsafe packet.packet.pointee.duration = duration
      try unsafe streams.muxer.write(packet.packet, to: streams.video, timeBase: timeBase, later: remainder)
      written.store(streams.muxer.byteCount, ordering: .relaxed)
    }
  }

  /// Writes packets of the streams that are copied or re-encoded; others are dropped.
  /// - Throws: `FFmpegError` if they cannot be written.
  public func pass(_ batch: PacketBatch) throws(FFmpegError) {
    try lock.withLock { _ throws(FFmpegError) in
      guard let streams else { throw .closed(path: settings.url) }
      for packet in batch.packets { try streams.write(packet) }
      written.store(streams.muxer.byteCount, ordering: .relaxed)
    }
  }

  /// Completes the file, reads it back and renames it.
  /// - Returns: What the file is missing.
  /// - Throws: `FFmpegError`, `.notKept` if its pictures are missing or broken; the file is removed.
  @discardableResult
  public func finish() throws(FFmpegError) -> OutputLosses {
    try lock.withLock { _ throws(FFmpegError) in
      guard let streams else { throw .closed(path: settings.url) }
      self.streams = nil
      try streams.finishTranscoders()
      try streams.muxer.finish()
      written.store(streams.muxer.byteCount, ordering: .relaxed)
      return try streams.commit(OutputCheck(settings, streams), path: settings.url)
    }
  }

  /// Closes and removes the incomplete file. Does nothing after `finish()`.
  public func cancel() { lock.withLock { _ in streams = nil } }

  /// Removes the unfinished file at once, whatever other threads are doing; for a process that is about to exit.
  public func discard() { file.discard() }

  /// Bytes written so far, for progress.
  public var bytesWritten: Int { written.load(ordering: .relaxed) }
}
