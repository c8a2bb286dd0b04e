internal import ArgumentParser
internal import FFmpegIO
internal import Frames

/// `headroom probe INPUT`
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe", abstract: "Show streams, colour, HDR metadata, and the descriptor that would be used.")

  @Argument(help: "Input file; - is Y4M on standard input.")
  var input: String

  @Flag(help: "JSON, shaped like ffprobe's.")
  var json = false

  @OptionGroup(title: "Input overrides") var source: InputOptions

  func run() throws {
    do {
      let report = try ProbeReport(input, options: source)
      try Console.result(try json ? report.json() : report.text)
    } catch {
      throw CommandFailure(error)
    }
  }
}
