internal import BatchTranscode
internal import ChunkedTranscode
internal import Files
internal import Foundation
internal import Sessions
internal import Synchronization

/// Reports the progress of several films, some of which are converted concurrently.
final class LibraryConsole: Sendable {
  private let messages: MessageOptions
  private let isReporting: Bool
  private let state = Mutex(State())

  private struct State {
    /// The name and percentage (if known) of each film in progress, by number.
    var current: [Int: (name: String, percent: Int?)] = [:]
    var count = 0
    var ended = 0
    var failed = 0
    var hasLine = false
  }

  init(_ messages: MessageOptions) {
    self.messages = messages
    isReporting = messages.progress == .json || messages.progress == .line && Console.isInteractive
  }

  func hear(_ event: LibraryEvent) {
    switch event {
    case .begins(let plan): state.withLock { $0.count = plan.films.count }
    case .began(let film, let number):
      state.withLock { $0.current[number] = (film.name, nil) }
      note("\(film.name.harmlessLine): begins")
    case .heard(let film, let number, let event): hear(event, film, number)
    case .ended(let film, let number, let result):
      state.withLock { state in
        state.current[number] = nil
        if result.ending == .isWrittenElsewhere { return }
        state.ended += 1
        if case .failed = result.ending { state.failed += 1 }
      }
      if messages.progress == .json { Console.plain(result.json(of: film.name)) }
      tell(film, result)
    }
  }

  private func hear(_ event: FilmEvent, _ film: LibraryPlan.Film, _ number: Int) {
    switch event {
    case .planned(let summary): note("\(film.name.harmlessLine): \(summary)")
    case .message(let message, .warning): say { Console.warning(film.saying(message.words)) }
    case .message(let message, .note): note(film.saying(message.words))
    case .progress(let progress):
      if messages.progress == .json { return Console.plain(progress.json(of: film.name)) }
      let percent = progress.totalFrames.map { min(progress.frames * 100 / max($0, 1), 100) }
      state.withLock { $0.current[number] = (film.name, percent) }
      showLine()
    }
  }

  private func tell(_ film: LibraryPlan.Film, _ result: FilmResult) {
    switch result.ending {
    case .converted: note("\(film.name.harmlessLine): " + (result.progress?.summary ?? "done"))
    case .skipped(let skip): note("\(film.name.harmlessLine): \(skip.words)")
    case .stopped: note("\(film.name.harmlessLine): stopped")
    case .failed(let reason, _): say { Console.error(film.saying(reason)) }
    case .isWrittenElsewhere: break
    }
  }

  private func note(_ text: String) { if !messages.quiet { say { Console.note(text) } } }

  /// Prints messages above the progress line.
  private func say(_ body: () -> Void) {
    state.withLock { state in
      if state.hasLine { Console.progress("") }
      state.hasLine = false
      body()
    }
    showLine()
  }

  private func showLine() {
    guard isReporting, messages.progress != .json else { return }
    state.withLock { state in
      guard !state.current.isEmpty else { return }
      let films = state.current.sorted { $0.key < $1.key }.map { $1.name + ($1.percent.map { " \($0) %" } ?? "") }
      var line =
        "\(state.ended - state.failed) of \(state.count) done" + (state.failed > 0 ? ", \(state.failed) failed" : "")
        + "; "
      line += films.joined(separator: ", ")
      Console.progress(String(line.harmlessLine.prefix(Terminal.width - 1)))
      state.hasLine = true
    }
  }

  /// Prints the final table and the failures.
  static func report(_ summary: LibrarySummary, _ messages: MessageOptions) {
    if !messages.quiet {
      for line in summary.table { Console.plain(line) }
      for entry in summary.entries {
        if case .failed(let reason, _)? = entry.result?.ending { Console.error(entry.film.saying(reason)) }
      }
    }
    if !messages.quiet || summary.failed > 0 { Console.note(summary.words) }
  }
}

extension Session.Progress {
  /// Returns JSON with the film's name.
  fileprivate func json(of film: String) -> String {
    let name = (try? JSON.line([("file", film)])) ?? "{}"
    return String(name.dropLast()) + "," + json.dropFirst()
  }
}
