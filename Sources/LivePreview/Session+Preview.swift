internal import Frames
internal import Media
public import Preview
public import Sessions
internal import Synchronization

extension Session {
  /// Resolves a request against its input: opens it, and sets a device up.
  /// - Throws: `Refusal` for impossible requests, or the error of a library.
  public func plan(_ request: PreviewRequest) throws -> PreviewPlan {
    try request.validate()
    try request.checkFiles()
    let input = try open(request)
    let plan = try PreviewPlan(request, input.reader, first: input.first)
    warn(input.reader.colorWarnings + plan.warnings)
    note(input.reader.readerNotes + plan.notes)
    state.withLock { $0.kept = (plan, input) }
    return plan
  }

  private func open(_ request: PreviewRequest) throws -> OpenedInput {
    let state = InputState(request.input, request.selection)
    let reader = try request.input.open(threads: request.processing.threadCount, leavesDevice: onlyPlans)
    if let device = reader as? DeviceMedia {
      guard let first = try device.sampleFrame() else {
        throw Refusal.failed(.deviceDeliversNothing(request.input.name, reason: nil))
      }
      return OpenedInput(reader: device, first: first, state: state)
    }
    try reader.pass([])
    return OpenedInput(reader: reader, first: try reader.firstFrame(of: request.selection), state: state)
  }

  /// Shows the input until it ends, or the screen is closed, or `cancel()` is called.
  /// - Parameters:
  ///   - plan: The plan.
  ///   - screen: Where it is shown; nil: where the request says.
  /// - Returns: How it ended.
  /// - Throws: Why it failed, or the recording beside it did.
  @discardableResult
  public func run(_ plan: PreviewPlan, on screen: (any PreviewScreen)? = nil) throws -> Outcome {
    let output = try screen.map { PreviewOutput.screen($0) } ?? PreviewOutput(plan)
    let input = try takePreviewed(plan)
    return try running { try PreviewRun(self, plan, input, on: output).run() }
  }

  /// The input of a plan: the one that was opened to make it, or a newly opened one if another session made the plan.
  func takePreviewed(_ plan: PreviewPlan) throws -> OpenedInput {
    let kept = state.withLock { state in
      defer { state.kept = nil }
      return state.kept
    }
    if let kept, kept.plan as? PreviewPlan == plan { return kept.input }
    return try open(plan.request)
  }

  /// Makes a plan and runs it.
  /// - Throws: As `plan(_:)` and `run(_:)`.
  @discardableResult
  public func run(_ request: PreviewRequest) throws -> Outcome { try run(plan(request)) }
}

extension PreviewRequest {
  /// Checks the files before the work begins.
  fileprivate func checkFiles() throws(Refusal) {
    let inputs = [input.name] + mapping.filesRead
    if let report, let recording, OutputPath(report).isSame(as: recording.output) {
      throw .invalid(.sameFile(.report, .output))
    }
    for name in [recording?.output, report].compactMap(\.self) where name != "-" {
      try OutputPath(name).check(reading: inputs, overwrites: overwrites)
    }
  }
}
