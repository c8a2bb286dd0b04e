internal import ArgumentParser
internal import FFmpegIO
internal import Measurement

/// `headroom measure INPUT [-o FILE]`
struct MeasureCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "measure", abstract: "Measure MaxCLL, MaxFALL, percentiles, and the light of each frame.",
    discussion: """
      Light is max(R,G,B) of a pixel in cd/m², linear, on the reference display: what PQ codes; HLG at 1000 cd/m²; SDR \
      with its white at 100 cd/m². Frames and times are those of the measured part. After SIGINT or SIGTERM nothing is \
      written: what is written is complete.
      """)

  @Argument(help: "Input file; - is Y4M on standard input.")
  var input: String

  @OptionGroup(title: "Measurement") var options: MeasureOptions
  @OptionGroup(title: "Input overrides") var source: InputOptions

  func run() throws {
    FFmpegLog.level = options.messages.verbose ? .verbose : .quiet
    do {
      let file = try outputFile()
      let reader = try source.open(input, threads: options.processing.threadCount)
      let selection = FrameSelection(options.selection)
      let first = try reader.firstFrame(of: selection)
      let run = try MeasureRun(
        reader: reader, first: first, selection: selection, input: source,
        processing: options.processing, messages: options.messages)
      if let status = try run.run() { throw status }
      let measurement = try run.measurement(excludesLetterbox: options.excludeLetterbox)
      let text = options.form == .json ? try measurement.json() : measurement.csv
      if let file { try file.write(text + "\n") } else { try Console.result(text) }
      try reader.checkEnding(of: selection)
    } catch let status as ExitStatus {
      throw status
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Checked before the work, not after it; nil for standard output.
  private func outputFile() throws -> OutputFile? {
    guard options.output != "-" else { return nil }
    guard MediaWriter.file(at: options.output) != nil else {
      throw CommandFailure("'\(options.output)' is no file: name one, or - for standard output.", .usage)
    }
    try OutputPath(options.output).check(input: input, overwrites: options.overwrite)
    return try OutputFile(wholeFileAt: options.output, replaces: options.overwrite)
  }
}
