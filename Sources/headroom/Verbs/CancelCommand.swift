internal import ArgumentParser
internal import Sessions

/// `headroom cancel DIR`
struct CancelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Stop rendering the pieces of a plan, on all machines and in the queue.",
    discussion: "Pieces that are complete stay. headroom chunk or headroom plan --submit goes on with the rest.")

  @Argument(help: "Work folder.")
  var folder: String

  func run() throws {
    try failing {
      let jobs = try Film(folder).cancel()
      Console.note(jobs == 0 ? "Stopping." : "Stopping, with \(jobs == 1 ? "1 job" : "\(jobs) jobs") of the queue.")
    }
  }
}
