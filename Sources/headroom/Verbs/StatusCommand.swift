internal import ArgumentParser
internal import ChunkedTranscode
internal import Foundation
internal import Media
internal import Sessions

/// `headroom status DIR`
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the progress of a film in pieces, and the machines that render them.",
    discussion: "The exit status is 0 only when the output is complete.")

  @Argument(help: "Work folder.")
  var folder: String

  @Flag(help: "JSON instead of text.")
  var json = false

  @Option(help: ArgumentHelp("Write a page with a map of the film.", valueName: "file"))
  var html: String?

  @Flag(help: "Keep running until the output is complete, and redraw every two seconds.")
  var watch = false

  func validate() throws {
    if watch, json { throw ValidationError("--watch draws text: omit --json.") }
  }

  func run() throws {
    try failing {
      let film = try Film(folder)
      var lines = 0
      while true {
        let status = try film.status()
        if let html { try OutputFile(html, replaces: true).write(status.page) }
        let text = json ? status.json : status.text(width: Terminal.width)
        if lines > 0 { try Console.removeLines(lines) }
        if html == nil || !watch { try Console.result(text) }
        if status.isComplete { return }
        guard watch else { throw ExitStatus.failed }
        lines = Terminal.isOutput ? text.split(separator: "\n", omittingEmptySubsequences: false).count : 0
        Thread.sleep(forTimeInterval: 2)
      }
    }
  }
}
