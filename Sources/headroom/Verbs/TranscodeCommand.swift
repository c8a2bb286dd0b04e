internal import ArgumentParser
internal import FFmpegIO
internal import Frames

/// `headroom transcode INPUT -o OUTPUT`
struct TranscodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcode", abstract: "Convert HDR video to SDR, or to HDR10 or HLG at another peak.")

  @Argument(help: "Input file; - is Y4M on standard input.")
  var input: String

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Light and colour") var mapping: MappingOptions
  @OptionGroup(title: "Input overrides") var source: InputOptions

  func run() throws {
    FFmpegLog.level = output.messages.verbose ? .verbose : .quiet
    do {
      if let name = output.output { try OutputPath(name).check(input: input, overwrites: output.overwrite) }
      let reader = try MediaReader(url: input, threads: mapping.processing.threadCount)
      let first = try reader.firstFrame(of: output.selection)
      let plan = try TranscodePlan(reader: reader, first: first, input: source, mapping: mapping, output: output)
      announce(plan, reader)
      let run = try TranscodeRun(reader: reader, first: first, plan: plan, input: source, mapping: mapping)
      if let status = try run.run(output.messages) { throw status }
    } catch let status as ExitStatus {
      throw status
    } catch {
      throw CommandFailure(error)
    }
  }

  private func announce(_ plan: TranscodePlan, _ reader: MediaReader) {
    (plan.source.warnings + plan.warnings).forEach(Console.warning)
    guard !output.messages.quiet else { return }
    plan.source.notes.forEach(Console.note)
    Console.note(plan.summary)
    let others = reader.info.streams.filter { $0.index != reader.video.index }
    guard !others.isEmpty else { return }
    let words = others.map { "#\($0.index) \($0.kind.rawValue) \($0.codecName)" }.joined(separator: ", ")
    Console.note("left out: \(words) (only the video stream is written)")
  }
}
