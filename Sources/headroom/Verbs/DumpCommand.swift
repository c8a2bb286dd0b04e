internal import ArgumentParser
internal import Sessions

/// `headroom dump INPUT -o PATTERN`
struct DumpCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump", abstract: "Write frames as pictures or raw buffers: OpenEXR, PNG, TIFF, AVIF, JPEG XL, Y4M.",
    discussion: """
      In linear spaces 1.0 is 100 cd/m² for decoded PQ, and SDR white for SDR and after mapping; decoded HLG is scene \
      light, 0 to 1. Files state this if their format supports it; raw ones have a JSON file beside them. The input's \
      rotation is applied to pictures. After SIGINT or SIGTERM the frames read so far are written.
      """)

  @Argument(help: "Input file; - is Y4M on standard input.")
  var input: String

  @OptionGroup var options: DumpArguments

  func run() throws {
    let messages = options.output.messages
    try messages.listening(announcesStop: true, onlyPlans: options.output.plans.dryRun) { session in
      let plan = try session.plan(options.request(input))
      try options.output.plans.carryOut(plan, messages) { try session.run(plan) }
    }
  }
}
