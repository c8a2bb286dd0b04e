internal import ArgumentParser
internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import ToneMapping

/// `headroom lut [INPUT] -o FILE.cube`
struct LUTCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lut", abstract: "Write the tone mapper as a look-up table in a .cube file.",
    discussion: """
      The table goes from full-range R'G'B' of the source (PQ or HLG) to full-range R'G'B' of the target (SDR: BT.1886 \
      in BT.709), for ffmpeg's lut3d, OBS, Resolve and others that apply it between the two matrices. With an input it \
      is made for what the input's tags and static metadata say; it stays the same over all scenes. Its errors against \
      the mapper itself are ΔE ITP (BT.2124; 1 is just noticeable) of displayed light, over the centres of 41 x 41 x 41 \
      cells of the source's signal up to the content's peak.
      """)

  @Argument(help: "Input file; - is Y4M on standard input. Without it the options say what the signal is.")
  var input: String?

  @OptionGroup(title: "Table") var options: LUTOptions
  @OptionGroup(title: "Light and colour") var mapping: MappingOptions
  @OptionGroup(title: "Source") var source: LUTSourceOptions

  func run() throws {
    FFmpegLog.level = .quiet
    do {
      let files = try [options.output, options.shaperFile].compactMap(\.self).map(outputFile)
      let plan = try LUTPlan(sourcePlan(), mapping: mapping, table: options)
      (plan.source.warnings + plan.target.warnings).forEach(Console.warning)
      if !options.quiet { (plan.source.notes + [plan.target.summary(from: plan.source)]).forEach(Console.note) }
      let lut = plan.makeLUT()
      let texts = plan.texts(lut)
      for (file, text) in zip(files, [texts.table, texts.shaper].compactMap(\.self)) {
        if let file { try file.write(text) } else { try Console.result(text, ends: "") }
      }
      guard options.json || !options.quiet else { return }
      let report = LUTReport(lut, plan)
      if !options.quiet { report.notes.forEach(Console.note) }
      if options.json { try Console.result(try report.json()) }
    } catch {
      throw CommandFailure(error)
    }
  }

  private func sourcePlan() throws -> SourcePlan {
    let overrides = source.overrides
    guard let input else { return try checked(SourcePlan(stated: overrides)) }
    let reader = try source.opening.open(input)
    guard let frame = try reader.peekFrame() else { throw CommandFailure("'\(input)' has no frame.") }
    return try checked(SourcePlan(frame: frame, path: input, overrides: overrides, use: nil))
  }

  /// - Throws: `CommandFailure` where an option would do nothing.
  private func checked(_ plan: SourcePlan) throws -> SourcePlan {
    if source.contentPeak != nil, plan.color.transfer != .pq {
      throw CommandFailure("--content-peak is for PQ: other signals do not say how bright they are.", .usage)
    }
    return plan
  }

  /// Checked before the work, not after it; nil for standard output.
  private func outputFile(_ name: String) throws -> OutputFile? {
    guard name != "-" else { return nil }
    guard MediaWriter.file(at: name) != nil else {
      throw CommandFailure("'\(name)' is no file: name one, or - for standard output.", .usage)
    }
    try OutputPath(name).check(input: input, overwrites: options.overwrite)
    return try OutputFile(wholeFileAt: name, replaces: options.overwrite)
  }
}
