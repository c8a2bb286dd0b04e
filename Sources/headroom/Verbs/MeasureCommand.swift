internal import ArgumentParser
internal import Measurement
internal import Sessions
internal import Media

/// `headroom measure INPUT [-o FILE]`
struct MeasureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure", abstract: "Measure MaxCLL, MaxFALL, percentiles, and the light levels of each frame.",
    discussion: """
      The light level is max(R,G,B) of a pixel in cd/m², linear, on the reference display: as encoded for PQ; HLG at \
      1000 cd/m²; SDR with white at 100 cd/m². Frames and times refer to the measured range. After SIGINT or SIGTERM \
      nothing is written: results are always complete.
      """)

  @Argument(help: "Input file; - is Y4M on standard input.")
  var input: String

  @OptionGroup(title: "Measurement") var options: MeasureOptions
  @OptionGroup(title: "Input overrides") var source: Options<InputOptions>

  func run() throws {
    try options.messages.listening { session in
      let file = try session.outputFiles([options.output], reading: [input], overwrites: options.overwrite)[0]
      var request = MeasureRequest(input: input)
      (request.input, request.selection) = (source.request(input), options.selection.request)
      (request.processing, request.excludesLetterbox) = (options.processing.request, options.excludeLetterbox)
      let result = try session.run(request)
      guard let measurement = result.measurement else { return }
      let text = options.form == .json ? try measurement.json() : measurement.csv
      if let file { try file.write(text + "\n") } else { try Console.result(text) }
      if let failure = result.failure { throw failure }
    }
  }
}
