internal import Media
internal import StreamPipeline
internal import Threads

/// Reports progress twice a second.
final class ProgressTicker: Sendable {
  private let session: Session
  private let pipeline: StreamPipeline
  private let run: Session.Run
  private let start = ContinuousClock.now
  private let thread = RepeatingThread(every: 0.5)

  init(_ session: Session, _ pipeline: StreamPipeline, _ run: Session.Run) {
    (self.session, self.pipeline, self.run) = (session, pipeline, run)
  }

  func begin() {
    // Without a thread only the last report is sent.
    try? thread.begin { [self] in session.emit(.progress(progress)) }
  }

  func end() {
    thread.end()
    var last = progress
    last.isLast = true
    session.emit(.progress(last))
  }

  var progress: Session.Progress {
    Session.Progress(
      frames: pipeline.progress.frames, seconds: (ContinuousClock.now - start) / .seconds(1),
      totalFrames: run.totalFrames, frameRate: run.frameRate,
      bytes: run.countsBytes ? run.file?.bytesWritten : nil)
  }
}
