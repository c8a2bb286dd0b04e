internal import FFmpegIO
internal import Frames
internal import Media
internal import Rendering

extension Session {
  /// Renders and encodes everything once, to find out how many bits each frame needs.
  /// - Returns: What the second pass needs.
  /// - Throws: `Cancellation`, or why the second pass could not write its output.
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
      // A thread that is about to end may still hold it when the process ends.
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

  /// - Throws: `Refusal` if two passes are asked for, which only films have.
  package func checkOnePass() throws(Refusal) {
    if isTwoPass {
      throw .invalid(
        "two-passes-need-transcode",
        "\(.twoPass) is for headroom transcode, which can read its input twice: leave it out.")
    }
  }
}
