internal import CFFmpeg
internal import Frames
public import Media

/// Joins the coded pictures of pieces to one file, along with streams of a source.
///
/// The file is what a `MediaWriter` with the same settings would have made of all frames in a single run, as far as
/// packets, times and headers go. It appears under its name only when `finish()` has succeeded. Calls block: keep them
/// off Swift's cooperative pool.
///
/// ```swift
/// var decoding = DecodingTimes(reordering: pieces.map(\.reordering).max() ?? 0)
/// for piece in pieces { decoding.append(piece.times.presentations) }
/// for piece in pieces {
///   var piece = piece
///   while let picture = try piece.next(), let time = decoding.next() {
///     try joiner.write(
///       picture.packet, presentation: picture.presentation, decoding: time, duration: picture.duration)
///   }
/// }
/// ```
public final class MediaJoiner: Sendable {
  /// The output and its settings.
  public let settings: MediaWriter.Settings
  private let output: OpenOutput<JoinerOutput>

  /// Opens the file, and writes the header.
  /// - Parameters:
  ///   - settings: Settings of the film, with the encoder of the pieces and their `timeOrigin`.
  ///   - piece: The pictures of the first piece. The others must have the same configuration; see
  ///     `PieceReader.sameConfiguration`.
  ///   - reordering: Pictures that are held back, 0 to 16: the greatest `PieceReader.reordering` of all pieces.
  /// - Throws: `FFmpegError` that states which setting is unsupported; nothing is left behind.
  public init(_ settings: MediaWriter.Settings, like piece: StreamCopy, reordering: Int) throws(FFmpegError) {
    FFmpegLog.prepare()
    self.settings = settings
    let format = try unsafe MediaWriter.muxer(url: settings.url, format: settings.format)
    let muxer = try unsafe Muxer(format, url: settings.url, replaces: settings.replacesFile, reading: settings.inputs)
    output = OpenOutput(
      settings,
      try JoinerOutput(
        piece, reordering: reordering, muxer, settings,
        wantsGlobalHeader: unsafe format.pointee.flags & AVFMT_GLOBALHEADER != 0))
  }

  /// Writes the next coded picture, in decoding order.
  /// - Parameters:
  ///   - packet: From a `PieceReader`; it is empty afterwards.
  ///   - presentation: Presentation time in units of the settings' time base, without the offset of `timeOrigin`, which
  ///     is added here.
  ///   - decoding: Decoding time in the same units; it increases.
  ///   - duration: Duration in the same units; 0 if unknown.
  /// - Throws: `FFmpegError` if it cannot be written.
  public func write(
    _ packet: Packet, presentation: Int64, decoding: Int64, duration: Int64
  ) throws(FFmpegError) {
    try output.use { output throws(FFmpegError) in
      try unsafe output.write(
        packet.packet, presentation: presentation, decoding: decoding, duration: duration)
    }
  }

  /// Writes packets of the streams that are copied or re-encoded; others are dropped.
  /// - Throws: `FFmpegError` if they cannot be written.
  public func pass(_ batch: PacketBatch) throws(FFmpegError) { try output.pass(batch) }

  /// Completes the file, reads it back and renames it.
  /// - Returns: What the file is missing.
  /// - Throws: `FFmpegError`, `.notKept` if its pictures are missing or broken; the file is removed.
  @discardableResult
  public func finish() throws(FFmpegError) -> OutputLosses { try output.finish() }

  /// Closes and removes the incomplete file. Does nothing after `finish()`.
  public func cancel() { output.cancel() }

  /// Removes the unfinished file at once, regardless of other threads; for a process that is about to exit.
  public func discard() { output.discard() }

  /// Bytes written so far, for progress; the size of packets if the output is not a file.
  public var bytesWritten: Int { output.bytesWritten }

  /// Packets that were moved because their time did not increase.
  public var movedPackets: Int { output.report }
}
