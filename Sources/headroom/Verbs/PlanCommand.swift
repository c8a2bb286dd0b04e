internal import ArgumentParser
internal import ChunkedTranscode
internal import Sessions

/// `headroom plan INPUT -o OUTPUT --work DIR`
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan", abstract: "Divide a transcode into pieces that any number of machines can render.",
    discussion: """
      Writes a work folder. headroom chunk renders its pieces, on one or several machines; headroom assemble joins \
      them; headroom status shows the progress. The frames of the joined film are bit-identical to a single run. \
      Encoders run at constant quality.
      """)

  @Argument(help: "Input file.")
  var input: String

  @OptionGroup(title: "Pieces") var film: FilmOptions
  @OptionGroup var options: TranscodeArguments

  func run() throws {
    try options.messages.listening { session in
      let transcode = options.request(input)
      let request = film.request(transcode)
      let (plan, shots) = try session.plan(request)
      if options.plans.dryRun {
        return try options.plans.json ? Console.result(plan.json()) : Console.result(plan.lines)
      }
      let made = try session.write(plan, shots: shots, in: request.folder, replaces: transcode.overwrites)
      if !options.messages.quiet { Console.note(plan.summary) }
      if film.submit != nil {
        try session.submit(made, program: SystemProgram.path, options: film.sbatchOptions, limit: film.maxJobs)
      }
    }
  }
}
