internal import Frames
internal import Media
public import Preview
public import Sessions
internal import Synchronization

extension Session {
  /// Resolves a request: opens its input, and sets up a device.
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

  /// Shows the input until it ends, the screen is closed, or `cancel()` is called.
  /// - Parameters:
  ///   - plan: The plan.
  ///   - screen: The screen; nil: the requested one.
  /// - Returns: How it ended.
  /// - Throws: The error of the preview or of its recording.
  @discardableResult
  public func run(_ plan: PreviewPlan, on screen: (any PreviewScreen)? = nil) throws -> Outcome {
    let output = try screen.map { PreviewOutput.screen($0) } ?? PreviewOutput(plan)
    let input = try takePreviewed(plan)
    return try running { try PreviewRun(self, plan, input, on: output).run() }
  }

  /// Returns the input opened for the plan, or opens it if another session made the plan.
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
  /// Checks the output files in advance.
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
