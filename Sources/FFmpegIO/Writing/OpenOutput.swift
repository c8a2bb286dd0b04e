internal import CFFmpeg
internal import Media
internal import Synchronization

/// An output that is being written, with pictures from an encoder or already coded; calls are serialized.
final class OpenOutput<Pictures: PictureTrack>: @unchecked Sendable {
  // @unchecked: all mutable state is accessed inside `lock`, except for the atomic count.
  private let settings: MediaWriter.Settings
  private let file: OutputFile
  private let lock = Mutex(())
  private var pictures: Pictures?
  private var finalReport: Pictures.Report
  private let written = Atomic(0)

  init(_ settings: MediaWriter.Settings, _ pictures: Pictures) {
    (self.settings, self.pictures) = (settings, pictures)
    file = pictures.streams.muxer.file
    finalReport = pictures.report
  }

  /// Writes to the output.
  /// - Throws: `FFmpegError.closed`, and what `body` throws.
  func use(_ body: (Pictures) throws(FFmpegError) -> Void) throws(FFmpegError) {
    try lock.withLock { _ throws(FFmpegError) in
      guard let pictures else { throw .closed(path: settings.url) }
      try body(pictures)
      written.store(pictures.streams.muxer.byteCount, ordering: .relaxed)
    }
  }

  /// Writes packets of other streams.
  func pass(_ batch: PacketBatch) throws(FFmpegError) {
    try use { pictures throws(FFmpegError) in
      for packet in batch.packets { try pictures.streams.write(packet) }
    }
  }

  /// Completes the file, reads it back and renames it.
  func finish(as extent: Muxer.Extent = .whole) throws(FFmpegError) -> OutputLosses {
    try lock.withLock { _ throws(FFmpegError) in
      let (muxer, check, damage) = try complete()
      let ending = try check.result()
      let name = try muxer.commit(as: extent)
      let failure: FFmpegError? = ending.missing.isEmpty ? nil : .incomplete(path: settings.url, what: ending.missing)
      var losses = OutputLosses(damage + muxer.losses + ending.losses, failure: failure)
      losses.partialName = name
      return losses
    }
  }

  /// Writes everything and releases the encoder, to free its memory before the check.
  private func complete() throws(FFmpegError) -> (Muxer, OutputCheck, damage: [String]) {
    guard let pictures else { throw .closed(path: settings.url) }
    self.pictures = nil
    try pictures.finishPictures()
    let streams = pictures.streams
    try streams.finish()
    written.store(streams.muxer.byteCount, ordering: .relaxed)
    finalReport = pictures.report
    return (streams.muxer, OutputCheck(settings, streams), streams.transcodingLosses)
  }

  /// Closes and removes the incomplete file. Does nothing after `finish()`.
  func cancel() {
    lock.withLock { _ in
      if let pictures { finalReport = pictures.report }
      pictures = nil
    }
  }

  /// Keeps the file if it cannot be finished.
  func keepPartial() -> String? { file.keepPartial() }

  /// Removes the unfinished file at once, unless it is live, from any thread.
  func discard() { if settings.isLive { _ = file.keepPartial() } else { file.discard() } }

  /// Bytes written so far; the size of packets if the output is not a file.
  var bytesWritten: Int { written.load(ordering: .relaxed) }

  /// The report on the pictures so far.
  var report: Pictures.Report { lock.withLock { _ in pictures?.report ?? finalReport } }
}

/// The source of an output's pictures.
protocol PictureTrack: AnyObject {
  /// Information about the pictures so far.
  associatedtype Report
  var report: Report { get }

  /// The file.
  var streams: OutputStreams { get }

  /// Writes the pending pictures.
  func finishPictures() throws(FFmpegError)
}
