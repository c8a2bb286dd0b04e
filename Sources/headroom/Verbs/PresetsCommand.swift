internal import ArgumentParser
internal import Sessions

/// `headroom presets [NAME]`
struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets", abstract: "Show presets for transcode and plan, as the options that they stand for.")

  @Argument(help: "A preset, or a file of one (all: those in your folder, and the built-in ones).")
  var name: String?

  @Flag(help: "The preset as JSON, to begin one of your own with.")
  var json = false

  func validate() throws {
    if json, name == nil { throw ValidationError("--json prints one preset: name it.") }
  }

  func run() throws {
    try failing {
      guard let name else { return try Console.result(PresetStore.all.map(Self.text).joined(separator: "\n")) }
      let stated = try StatedPreset(named: name)
      try Console.result(json ? stated.preset.json : stated.words.shellText)
    }
  }

  /// What cannot be used is listed with the reason: the others are as good as before.
  private static func text(_ entry: PresetStore.Entry) -> String {
    let lines: [String?] =
      switch Result(catching: { () throws(CommandFailure) in try StatedPreset(entry) }) {
      case .success(let stated): [stated.preset.description, stated.words.shellText]
      case .failure(let failure): [failure.message]
      }
    return
      (["\(entry.name) (\(entry.path.map { "'\($0)'" } ?? "built in"))"] + lines.compactMap { $0.map { "  " + $0 } })
      .joined(separator: "\n")
  }
}
