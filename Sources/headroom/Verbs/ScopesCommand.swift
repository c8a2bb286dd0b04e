internal import ArgumentParser
internal import Media
internal import Sessions

/// `headroom scopes INPUT -o FILE`
struct ScopesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scopes", abstract: "Draw the waveform, parade, vectorscope, histogram and chromaticity of an input.",
    discussion: """
      Light levels are on the reference display, as for measure: as encoded for PQ; HLG at 1000 cd/m²; SDR with white \
      at --sdr-white. Their axes are PQ from 0 to 10000 cd/m², with marks at SDR white, reference white, 1000 cd/m² \
      and the headroom. R, G and B are in the content's primaries; chromaticity is CIE 1976 u', v' of pixels of at \
      least 0.1 cd/m².
      """)

  @Argument(help: "Input file; - is Y4M on standard input.")
  var input: String

  @OptionGroup(title: "Scopes") var options: ScopesOptions
  @OptionGroup(title: "Input overrides") var source: Options<InputOptions>

  func run() throws {
    try options.messages.listening { session in
      let plan = try session.plan(options.request(input: source.request(input)))
      try options.plans.carryOut(plan, options.messages) { try session.run(plan) }
    }
  }
}
