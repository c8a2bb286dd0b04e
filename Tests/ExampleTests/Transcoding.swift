import Sessions

/// A film for SDR displays with a headroom of 2, with its progress.
func transcode(_ input: String, to output: String) throws {
  var request = TranscodeRequest(input: input, output: output)
  request.mapping.sdrWhite = 100
  request.mapping.peak = 200
  let session = Session { event in
    if case .progress(let progress) = event { print(progress.frames, "of", progress.totalFrames ?? 0) }
    if case .message(let message, .warning) = event { print("warning:", message) }
  }
  let plan = try session.plan(request)
  print(plan.summary)
  try session.run(plan)
}
