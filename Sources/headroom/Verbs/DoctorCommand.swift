internal import ArgumentParser
internal import Sessions

/// `headroom doctor`
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Show this machine's processor, FFmpeg, encoders and devices, what is missing, and how to get it.")

  @Flag(help: "JSON instead of text.")
  var json = false

  func run() throws {
    let report = DoctorReport()
    try failing {
      try Console.result(try json ? report.json() : report.text)
      // Something that most tasks require.
      if report.findings.contains(where: { $0.state == .missing }) { throw ExitStatus.failed }
    }
  }
}
