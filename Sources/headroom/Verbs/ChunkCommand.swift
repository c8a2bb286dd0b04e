internal import ArgumentParser
internal import ChunkedTranscode
internal import Sessions

/// `headroom chunk DIR N`
struct ChunkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chunk", abstract: "Render pieces of a plan.",
    discussion: """
      Any number of machines can run --all on the same work folder: each piece is claimed by one, and taken over \
      if that one stops responding. A piece is complete only after it has been read back and verified.
      """)

  @Argument(help: "Work folder.")
  var folder: String

  @Argument(help: "Number of a piece, from 0.")
  var number: Int?

  @Flag(help: "Render the next free piece.")
  var next = false

  @Flag(help: "Render free pieces until all are complete.")
  var all = false

  @Option(help: ArgumentHelp("With --all: number of pieces to render at once on this machine.", valueName: "n"))
  var local: Int?

  @Flag(help: "Accept other versions of the encoder or this program than the plan's.")
  var allowMixed = false

  @Option(help: ArgumentHelp("Seconds without a response after which a piece is taken over.", valueName: "s"))
  var lease = 60.0

  @OptionGroup var messages: MessageOptions

  func validate() throws {
    guard [number != nil, next, all].count(where: \.self) == 1 else {
      throw ValidationError("Give the number of a piece, --next or --all.")
    }
    if let local {
      if !all { throw ValidationError("--local is for --all: add it.") }
      if !(1...256).contains(local) { throw ValidationError("--local takes 1 to 256, not \(local).") }
    }
    if !(1...86_400).contains(lease) { throw ValidationError("--lease takes 1 to 86400 s, not \(lease).") }
  }

  private var choice: Session.ChunkChoice { number.map { .number($0) } ?? (next ? .next : .all) }

  func run() throws {
    if let local, local > 1 {
      return try failing {
        // Reports an error once rather than in every process.
        let film = try Film(folder)
        try LocalWorkers(count: local, arguments: arguments).run { try film.isWhole() }
      }
    }
    try messages.listening { session in
      let film = try Film(folder)
      let outcome = try session.render(choice, of: film, allowsMixed: allowMixed, lease: lease)
      if outcome == .stopped { throw Session.Cancellation() }
    }
  }

  /// The arguments of a process that renders pieces one after the other.
  private var arguments: [String] {
    ["chunk", folder, "--all", "--lease", "\(lease)", "--progress", "none"] + (allowMixed ? ["--allow-mixed"] : [])
      + (messages.quiet ? ["--quiet"] : []) + (messages.verbose ? ["--verbose"] : [])
  }
}
