internal import ArgumentParser
internal import ChunkedTranscode
internal import Sessions

/// `headroom cancel DIR`
struct CancelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Stop rendering the pieces of a plan, on all machines and in the queue.",
    discussion: "Complete pieces are kept. headroom chunk or headroom plan --submit continues with the rest.")

  @Argument(help: "Work folder.")
  var folder: String

  func run() throws {
    try failing {
      let (pieces, jobs) = try Film(folder).cancel()
      let running = "Stopping \(pieces.counting("piece")); this takes a few seconds."
      let queued = jobs == 0 ? "" : " \(jobs == 1 ? "1 job was" : "\(jobs) jobs were") removed from the queue."
      Console.note((pieces == 0 ? "No piece is being rendered." : running) + queued)
    }
  }
}
