internal import ArgumentParser
internal import BatchTranscode
internal import Sessions

/// `headroom transcode INPUT ... -o OUTPUT`
struct TranscodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcode", abstract: "Convert HDR video to SDR, or to HDR10 or HLG at another peak.",
    discussion: """
      With several inputs, an input folder, or -o FOLDER/, each film becomes a file in the output folder. Of an input \
      folder only HDR films are converted; they keep their relative paths. If one fails, the others are still \
      converted, and the exit status is 1.
      """)

  @Argument(help: ArgumentHelp("Input files or folders; - is Y4M on standard input.", valueName: "input"))
  var inputs: [String]

  @OptionGroup(title: "Many films") var library: LibraryOptions
  @OptionGroup var options: TranscodeArguments

  func run() throws {
    if let request = try library.request(inputs, options) { return try convert(request) }
    let messages = options.messages
    try messages.listening(announcesStop: true, onlyPlans: options.plans.dryRun) { session in
      let request = options.request(inputs[0])
      if library.skipExisting, request.isDone { return messages.quiet ? () : Console.note("The output exists.") }
      if let pictures = try PictureRequest(request) {
        let plan = try session.plan(pictures)
        return try options.plans.carryOut(plan, messages) { try session.run(plan) }
      }
      let plan = try session.plan(request)
      try options.plans.carryOut(plan, messages) { try session.run(plan) }
    }
  }

  private func convert(_ request: LibraryRequest) throws {
    let (messages, plans) = (options.messages, options.plans)
    if plans.json {
      throw CommandFailure("--json prints the plan of one film: name a single input, and a file as output.", .usage)
    }
    try messages.listening(announcesStop: true) { session in
      let plan = try session.plan(request)
      if plans.dryRun { return try Console.result(plan.lines) }
      let arguments = ConvertFilmCommand.arguments(verbose: messages.verbose)
      let summary = try session.run(plan) {
        ProcessJob($0, program: SystemProgram.path, arguments: arguments, wording: .english)
      }
      LibraryConsole.report(summary, messages)
      if session.isCancelled { throw Session.Cancellation() }
      if summary.failed > 0 { throw summary.isOutOfSpace ? ExitStatus.retry : .failed }
    }
  }
}

extension LibraryPlan {
  /// The planned conversions, one line per film.
  fileprivate var lines: [String] {
    films.map { "\($0.input) -> \($0.output)" + ($0.isNamed || request.includesSDR ? "" : " (if it is HDR)") }
      + existing.map { "\($0.input): '\($0.output)' exists" }
  }
}
