internal import ArgumentParser
internal import Sessions

/// The output on standard error.
struct MessageOptions: ParsableArguments {
  enum Progress: String, ExpressibleByArgument, CaseIterable {
    case line, json, none
  }

  @Flag(name: .shortAndLong, help: "Print only warnings and errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Print more, including messages of FFmpeg and the encoder.")
  var verbose = false

  @Option(
    name: .customLong("progress"),
    help: "Progress: a line on a terminal, or JSON objects, one per line, on standard error.")
  var chosenProgress: Progress = .line

  /// The progress style; `--quiet` suppresses the line.
  var progress: Progress { quiet && chosenProgress == .line ? .none : chosenProgress }

  /// Returns the options of a verb without frames.
  static func quiet(_ quiet: Bool) -> MessageOptions {
    var options = MessageOptions()
    (options.quiet, options.verbose, options.chosenProgress) = (quiet, false, .none)
    return options
  }
}

/// Whether to run or print a plan.
struct PlanOptions: ParsableArguments {
  @Flag(help: "Print the plan without carrying it out.")
  var dryRun = false

  @Flag(help: "With --dry-run: the plan as JSON, which `headroom run` carries out.")
  var json = false

  func validate() throws {
    if json, !dryRun { throw ValidationError("--json prints a plan as JSON: add --dry-run, or omit it.") }
  }

  /// Prints a summary and calls `run`, or prints the plan.
  func carryOut(_ plan: some RunnablePlan, _ messages: MessageOptions, _ run: () throws -> Void) throws {
    guard !dryRun else { return try Self.print(plan.any, asJSON: json) }
    if !messages.quiet { Console.note(plan.summary) }
    try run()
  }

  static func print(_ plan: AnyPlan, asJSON: Bool) throws {
    try asJSON ? Console.result(plan.json()) : Console.result(plan.lines)
  }
}
