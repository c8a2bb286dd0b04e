internal import ArgumentParser
internal import Files
internal import Foundation
internal import Sessions

/// `headroom run PLAN`
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Carry out a plan printed by --dry-run --json.",
    discussion: """
      With the same input under the same name, every frame is bit-identical on any machine that runs the plan's \
      kernels; encoders may still write different bytes, for example with another number of threads. An input is \
      refused if its frames or streams differ from those of the plan.
      """)

  @Argument(help: "Plan file; - is standard input.")
  var plan: String

  @OptionGroup var messages: MessageOptions

  func run() throws {
    try messages.listening(announcesStop: true) { session in
      let plan = try readPlan()
      if !messages.quiet { Console.note(plan.summary) }
      try session.run(plan)
    }
  }

  private func readPlan() throws -> AnyPlan {
    guard let file = plan == "-" ? FileHandle.standardInput : FileHandle(systemName: plan),
      let data = try? file.readToEnd() ?? Data()
    else { throw CommandFailure("Cannot read '\(plan)': \(unsafe String(cString: strerror(errno))).") }
    do {
      return try AnyPlan(json: data)
    } catch {
      throw CommandFailure(
        "'\(plan)' is not a plan of this version, or was changed: create one with --dry-run --json.", .usage)
    }
  }
}
