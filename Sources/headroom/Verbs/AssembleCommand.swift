internal import ArgumentParser
internal import ChunkedTranscode
internal import Sessions

/// `headroom assemble DIR`
struct AssembleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "assemble", abstract: "Join the pieces of a plan into its output.",
    discussion: """
      Checks every piece first, and the frames at every seam: both adjacent pieces have decoded the frame in between. \
      Sound, subtitles, chapters, attachments and tags come from the input.
      """)

  @Argument(help: "Work folder.")
  var folder: String

  @Flag(help: "Wait for missing pieces, and join them as they arrive.")
  var wait = false

  @Flag(
    name: .customLong("continue"),
    help: "For queue jobs: resubmit missing pieces, and join only when all are complete.")
  var continues = false

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Another output, in the same container as the plan's.", valueName: "file"))
  var output: String?

  @Flag(help: "Replace an existing output.")
  var overwrite = false

  @Flag(help: "Accept pieces from other versions of the encoder or this program than the plan's.")
  var allowMixed = false

  @OptionGroup var messages: MessageOptions

  func validate() throws {
    if wait, continues { throw ValidationError("--wait cannot be combined with --continue: choose one.") }
  }

  func run() throws {
    try messages.listening { session in
      let film = try Film(folder)
      if continues, try session.resubmit(film) { return }
      do {
        let outcome = try session.assemble(
          film, follows: wait, allowsMixed: allowMixed, output: output, overwrites: overwrite)
        if outcome == .cancelled { throw Session.Cancellation() }
      } catch let refusal as Refusal where continues && refusal.isAboutPieces {
        // The check rejected pieces that had looked sound.
        Console.warning(refusal.words)
        if try !session.resubmit(film) { throw refusal }
      }
    }
  }
}

extension Refusal {
  /// Whether pieces are missing or were rejected.
  fileprivate var isAboutPieces: Bool { message.code == "film-incomplete" }
}
