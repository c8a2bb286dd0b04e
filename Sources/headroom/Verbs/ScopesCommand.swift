internal import ArgumentParser
internal import FFmpegIO
internal import ImageFiles
internal import Scopes

/// `headroom scopes INPUT -o FILE`
struct ScopesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scopes", abstract: "Draw waveform, parade, vectorscope, histogram and chromaticity of an input.",
    discussion: """
      Light is that of the reference display, as measure has it: what PQ codes; HLG at 1000 cd/m²; SDR with its white at \
      --sdr-white. Axes of light are PQ from 0 to 10000 cd/m², with marks at SDR white, reference white, 1000 cd/m² and \
      the headroom. R, G and B are in the content's primaries; chromaticity is CIE 1976 u', v' of what has 0.1 cd/m² and \
      more.
      """)

  @Argument(help: "Input file; - is Y4M on standard input.")
  var input: String

  @OptionGroup(title: "Scopes") var options: ScopesOptions
  @OptionGroup(title: "Input overrides") var source: InputOptions

  func run() throws {
    FFmpegLog.level = options.messages.verbose ? .verbose : .quiet
    do {
      try checkFiles()
      let reader = try source.open(input, threads: options.processing.threadCount)
      var selection = FrameSelection(options.selection)
      selection.at = options.at?.seconds
      let first = try reader.firstFrame(of: selection)
      let plan = try ScopesPlan(reader: reader, first: first, options, source: source)
      (reader.warnings + plan.source.warnings).forEach(Console.warning)
      if !options.messages.quiet { (reader.notes + plan.notes + [plan.summary]).forEach(Console.note) }
      let run = try ScopesRun(reader: reader, first: first, plan: plan, options: options)
      if let status = try run.run() { throw status }
      try reader.checkEnding(of: selection)
    } catch let status as ExitStatus {
      throw status
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Before the work, not after it.
  private func checkFiles() throws {
    var names: FileNames?
    if let output = options.output, output != "-" {
      if options.pictureFormat != nil {
        let pictures = try FileNames.checked(output)
        names = pictures
        try OutputPath(output).check(
          pictures, from: options.selection.frames?.first ?? 0, count: nil, hasSidecars: false, input: input,
          overwrites: options.overwrite)
      } else {
        try OutputPath(output).check(input: input, overwrites: options.overwrite)
      }
    }
    guard let data = options.data else { return }
    try FilterOptions.check(
      data, "--data", input: input, outputs: [("--output", options.output)], names: names,
      overwrites: options.overwrite)
  }
}
