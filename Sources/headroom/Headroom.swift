internal import ArgumentParser
internal import Files
internal import Foundation
internal import Sessions

/// The command line tool: arguments become a plan, which is printed and run.
@main
struct Headroom: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "headroom",
    abstract: "HDR video to linear light, through a tone mapper, and back.",
    version: Program.version,
    subcommands: [
      ProbeCommand.self, TranscodeCommand.self, DumpCommand.self, MeasureCommand.self, LUTCommand.self,
      PatternCommand.self, VerifyCommand.self, ScopesCommand.self, DisplayCommand.self, PreviewCommand.self,
      ServeCommand.self, PresetsCommand.self,
      ConstantColorCommand.self, RunCommand.self, PlanCommand.self, ChunkCommand.self, AssembleCommand.self,
      StatusCommand.self,
      CancelCommand.self,
      DoctorCommand.self,
      CompletionsCommand.self, ConvertFilmCommand.self,
    ])

  /// Prints requested output such as `--help`.
  private static func answer(_ text: String) -> Int32 {
    do {
      try Console.result(text)
      return 0
    } catch {
      let failure = CommandFailure(error)
      Console.error(failure.message)
      return failure.code.rawValue
    }
  }

  private static var verbs: [String] { configuration.subcommands.map { $0._commandName } + ["help"] }

  private static func refuse(_ text: String) -> Int32 {
    Console.plain(text)
    return ExitStatus.usage.rawValue
  }

  /// The arguments after the program name, byte for byte.
  private static var arguments: [String] {
    let words = unsafe UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return unsafe words.dropFirst().compactMap { unsafe $0.map { unsafe String(systemName: $0) } }
  }

  /// ArgumentParser would exit with 64 for wrong usage; this program documents 2.
  static func main() {
    Interruption.unblock()
    // A closed pipe is reported as a write error, rather than ending the process.
    signal(SIGPIPE, SIG_IGN)
    // So is exceeding a file size limit.
    signal(SIGXFSZ, SIG_IGN)
    MemoryShortage.watch()
    if let foreign = ForeignOption.first(in: arguments) {
      Console.error(foreign.words)
      Foundation.exit(ExitStatus.usage.rawValue)
    }
    if let word = arguments.first, !word.hasPrefix("-"), !verbs.contains(word) {
      Console.error(ForeignOption.words(forVerb: word))
      Foundation.exit(ExitStatus.usage.rawValue)
    }
    do {
      var command = try parseAsRoot(PresetArguments.expanded(arguments))
      try command.run()
    } catch let failure as CommandFailure {
      Console.error(failure.message)
      Foundation.exit(failure.code.rawValue)
    } catch let code as ExitStatus {
      Foundation.exit(code.rawValue)
    } catch {
      let isRequest = exitCode(for: error) == .success
      let text = fullMessage(for: error)
      Foundation.exit(isRequest ? answer(text) : refuse(text))
    }
  }
}
