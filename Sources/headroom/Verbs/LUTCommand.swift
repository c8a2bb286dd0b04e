internal import ArgumentParser
internal import Media
internal import Sessions

/// `headroom lut [INPUT] -o FILE.cube`
struct LUTCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lut", abstract: "Write the tone mapper as a look-up table in a .cube file.",
    discussion: """
      The table goes from full-range R'G'B' of the source (PQ or HLG) to full-range R'G'B' of the target (SDR: BT.1886 \
      in BT.709), for ffmpeg's lut3d, OBS, Resolve and others that apply it between the two matrices. With an input, \
      it uses the input's tags and static metadata; it is the same for all shots. Its errors relative to the mapper \
      are ΔE ITP (BT.2124; 1 is just noticeable) of displayed light, at the centres of 41 x 41 x 41 cells of the \
      source signal up to the content's peak.
      """)

  @Argument(help: "Input file; - is Y4M on standard input. Without it, the options define the signal.")
  var input: String?

  @OptionGroup(title: "Table") var options: LUTOptions
  @OptionGroup(title: "Light and colour") var mapping: Options<MappingOptions>
  @OptionGroup(title: "Source") var source: LUTSourceOptions

  func run() throws {
    try MessageOptions.quiet(options.quiet).listening { session in
      var request = options.request
      request.input = input.map(source.opening.request)
      (request.overrides, request.isStrict) = (source.overrides, source.light.request.isStrict)
      request.mapping = mapping.request
      let names = [options.output, options.shaperFile].compactMap(\.self)
      let files = try session.outputFiles(
        names, reading: (input.map { [$0] } ?? []) + request.mapping.filesRead, overwrites: options.overwrite)
      let plan = try session.plan(request)
      if !options.quiet { Console.note(plan.target.summary(from: plan.source)) }
      let lut = plan.makeLUT()
      let texts = plan.texts(lut)
      for (file, text) in zip(files, [texts.table, texts.shaper].compactMap(\.self)) {
        if let file { try file.write(text) } else { try Console.result(text, ends: "") }
      }
      guard options.json || !options.quiet else { return }
      let report = LUTReport(lut, plan)
      if !options.quiet { report.notes.forEach(Console.note) }
      if options.json {
        try Console.result(
          try report.json(file: options.output, shaperFile: options.shaperFile, wording: .english))
      }
    }
  }
}
