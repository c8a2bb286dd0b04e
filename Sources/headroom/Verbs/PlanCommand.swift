internal import ArgumentParser
internal import Sessions

/// `headroom plan INPUT -o OUTPUT --work DIR`
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Divide a transcode into pieces that any number of machines render.",
    discussion: """
      Writes a work folder. headroom chunk renders its pieces, on one machine or many; headroom assemble joins them; \
      headroom status tells how far they are. The joined film has the frames of a single run, bit for bit. Encoders \
      run with constant quality.
      """)

  @Argument(help: "Input file.")
  var input: String

  @OptionGroup(title: "Pieces") var film: FilmOptions
  @OptionGroup var options: TranscodeOptions

  func run() throws {
    let output = options.output
    try output.messages.listening { session in
      let request = film.request(options.request(input))
      let (plan, shots) = try session.plan(request)
      if output.plans.dryRun {
        return try output.plans.json ? Console.result(plan.json()) : Console.result(plan.lines)
      }
      let made = try session.write(plan, shots: shots, in: request.folder, replaces: output.overwrite)
      if !output.messages.quiet { Console.note(plan.summary) }
      if film.submit != nil {
        try session.submit(made, program: SystemProgram.path, options: film.sbatchOptions, limit: film.maxJobs)
      }
    }
  }
}
