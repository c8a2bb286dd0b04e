internal import ArgumentParser
internal import FFmpegIO
internal import Foundation

/// The command line: arguments to a plan, the plan printed, the plan run.
@main
struct Headroom: ParsableCommand {
  /// Name and version, without the libraries'.
  static let program = "headroom 0.1.0"

  static let configuration = CommandConfiguration(
    commandName: "headroom",
    abstract: "HDR video to linear light, through a tone mapper, and back.",
    version: "\(program) (\(FFmpegVersion.libraries))",
    subcommands: [
      ProbeCommand.self, TranscodeCommand.self, DumpCommand.self, MeasureCommand.self, LUTCommand.self,
      PatternCommand.self, VerifyCommand.self, ScopesCommand.self, DoctorCommand.self, CompletionsCommand.self,
    ])

  /// ArgumentParser would exit with 64 for wrong usage; this program promises 2.
  static func main() {
    // A closed pipe is an error of the write that meets it, not the end of the process.
    signal(SIGPIPE, SIG_IGN)
    // A limit on the size of files is an error of the write.
    signal(SIGXFSZ, SIG_IGN)
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let failure as CommandFailure {
      Console.error(failure.message)
      Foundation.exit(failure.code.rawValue)
    } catch let code as ExitStatus {
      Foundation.exit(code.rawValue)
    } catch {
      let isRequest = exitCode(for: error) == .success
      let text = fullMessage(for: error)
      if isRequest { try? Console.result(text) } else { Console.plain(text) }
      Foundation.exit(isRequest ? 0 : ExitStatus.usage.rawValue)
    }
  }
}
