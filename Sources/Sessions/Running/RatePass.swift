internal import FFmpegIO
internal import Frames
internal import Media
internal import Rendering

extension Session {
  /// Renders and encodes everything once to determine the bits that each frame needs.
  /// - Returns: Statistics for the second pass.
  /// - Throws: `Cancellation`, or the error that would stop the second pass.
  func firstPass(_ plan: TranscodePlan) throws -> PassStatistics {
    let input = try openInput(of: plan)
    let settings = try plan.video.settings(streams: plan.streams.outputStreams(of: input.reader))
    let pool = WorkerPool(count: plan.request.processing.threads)
    let renderer = try StreamRenderer(self, plan, pool: pool)
    let (statistics, outcome) = try running {
      let statistics = try PassStatistics(for: settings)
      removing { statistics.discard() }
      let pass = try FirstPass(settings, statistics)
      var run = Run(input.reader, plan.selection, to: pass)
      run.frameRate = plan.video.frameRate?.value
      let outcome = try perform(run) { frame in
        let result = try pass.makeFrame(time: frame.time, fieldOrder: frame.fieldOrder)
        try renderer.render(frame, into: result)
        return result
      }.outcome
      if outcome == .finished { try pass.finish() }
      return (statistics, outcome)
    }
    if outcome == .cancelled {
      // A thread that is about to finish may still hold it when the process exits.
      statistics.discard()
      throw Cancellation()
    }
    return statistics
  }
}

extension RateControl {
  /// - Throws: `Refusal` if the input has to be read twice and cannot be.
  func check(_ input: InputRequest) throws(Refusal) {
    if isTwoPass, !input.isRepeatable {
      throw .invalid(.inputNotRepeatable(input.name, for: .twoPass))
    }
  }

  /// - Throws: `Refusal` if two passes are requested, which only films support.
  package func checkOnePass() throws(Refusal) {
    if isTwoPass {
      throw .invalid(
        "two-passes-need-transcode",
        "\(.twoPass) is for headroom transcode, which can read its input twice: leave it out.")
    }
  }
}
