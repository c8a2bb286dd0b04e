internal import ArgumentParser
internal import Files
internal import Foundation
internal import Sessions

/// The command line tool: turns arguments into a plan, prints it and runs it.
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

  private static var verbs: [String] { configuration.subcommands.map { $0._commandName } + ["help"] }

  /// The raw arguments after the program name.
  private static var arguments: [String] {
    let words = unsafe UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return unsafe words.dropFirst().compactMap { unsafe $0.map { unsafe String(systemName: $0) } }
  }

  static func main() {
    Interruption.unblock()
    // A closed pipe is reported as a write error, rather than ending the process.
    signal(SIGPIPE, SIG_IGN)
    // So is exceeding a file size limit.
    signal(SIGXFSZ, SIG_IGN)
    MemoryShortage.watch()
    Foundation.exit(status(of: arguments))
  }

  /// Runs a command line, excluding the program name.
  /// - Returns: The exit status. ArgumentParser would exit with 64 for wrong usage; this program documents 2.
  static func status(of arguments: [String]) -> Int32 {
    if let foreign = ForeignOption.first(in: arguments) { return refuse(foreign.words) }
    if let word = arguments.first, !word.hasPrefix("-"), !verbs.contains(word) {
      return refuse(ForeignOption.words(forVerb: word))
    }
    do {
      let arguments = DeprecatedOption.replaced(in: arguments)
      var command = try parseAsRoot(PresetArguments.expanded(arguments))
      try command.run()
    } catch let failure as CommandFailure {
      return report(failure)
    } catch let code as ExitStatus {
      return code.rawValue
    } catch {
      let text = fullMessage(for: error)
      guard exitCode(for: error) != .success else { return answer(text) }
      Console.plain(text)
      return ExitStatus.usage.rawValue
    }
    return 0
  }

  /// Prints requested output such as `--help`.
  private static func answer(_ text: String) -> Int32 {
    do { try Console.result(text) } catch { return report(CommandFailure(error)) }
    return 0
  }

  private static func refuse(_ words: String) -> Int32 { report(CommandFailure(words, .usage)) }

  private static func report(_ failure: CommandFailure) -> Int32 {
    Console.error(failure.message)
    return failure.code.rawValue
  }
}
