internal import ArgumentParser
internal import Sessions

/// `headroom probe INPUT`
struct ProbeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "probe", abstract: "Show streams, colour, HDR metadata, and the resulting descriptor.")

  @Argument(help: "Input file; - is Y4M on standard input.")
  var input: String

  @Flag(help: "JSON, structured like ffprobe's.")
  var json = false

  @OptionGroup(title: "Input overrides") var source: Options<InputOptions>

  func run() throws {
    try failing {
      let report = try ProbeReport(source.request(input))
      try Console.result(try json ? report.json(.english) : report.text(.english))
    }
  }
}
