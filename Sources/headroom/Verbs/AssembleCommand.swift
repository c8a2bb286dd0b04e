internal import ArgumentParser
internal import ChunkedTranscode
internal import Sessions

/// `headroom assemble DIR`
struct AssembleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "assemble", abstract: "Join the pieces of a plan to its output.",
    discussion: """
      Every piece is checked first, and the frames at every seam: both pieces have decoded the frame between them. Sound, \
      subtitles, chapters, attachments and tags come from the input.
      """)

  @Argument(help: "Work folder.")
  var folder: String

  @Flag(help: "Wait for pieces that are missing, and join them as they come.")
  var wait = false

  @Flag(
    name: .customLong("continue"),
    help: "For the jobs of a queue: submit pieces that are missing again, and join them only once all are there.")
  var continues = false

  @Option(
    name: .shortAndLong, help: ArgumentHelp("Another output, with the container of the plan's.", valueName: "file"))
  var output: String?

  @Flag(help: "Replace an existing output.")
  var overwrite = false

  @Flag(help: "Accept pieces of other versions of the encoder or of this program than the plan's.")
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
        // The check has found pieces wrong that looked right.
        Console.warning(refusal.words)
        if try !session.resubmit(film) { throw refusal }
      }
    }
  }
}

extension Refusal {
  /// Pieces are missing or were rejected.
  fileprivate var isAboutPieces: Bool { message.code == "film-incomplete" }
}
