internal import ArgumentParser
internal import FFmpegIO

/// `headroom doctor`
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Show what this machine has: processor, FFmpeg, encoders, devices; what is missing and how to get it.")

  @Flag(help: "JSON instead of text.")
  var json = false

  func run() throws {
    let report = DoctorReport()
    do {
      try Console.result(try json ? report.json() : report.text)
    } catch {
      throw CommandFailure(error)
    }
    // Something without which the usual work fails.
    if report.findings.contains(where: { $0.state == .missing }) { throw ExitStatus.failed }
  }
}
