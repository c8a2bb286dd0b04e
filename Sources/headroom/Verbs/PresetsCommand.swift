internal import ArgumentParser

/// `headroom presets [NAME]`
struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets", abstract: "Show presets for transcode and plan, as the options that they stand for.")

  @Argument(help: "A preset, or a file of one (all: those in your folder, and the built-in ones).")
  var name: String?

  @Flag(help: "The preset as a file, to begin one of your own with.")
  var file = false

  func validate() throws {
    if file, name == nil { throw ValidationError("--file prints one preset: name it.") }
  }

  func run() throws {
    try failing {
      guard let name else { return try Console.result(PresetFile.all.map(Self.text).joined(separator: "\n")) }
      let preset = try PresetFile(named: name).preset()
      try Console.result(file ? preset.text : preset.words.shellText)
    }
  }

  /// What cannot be used is listed with the reason: the others are as good as before.
  private static func text(_ file: PresetFile) -> String {
    let lines: [String?] =
      switch Result(catching: { () throws(CommandFailure) in try file.preset() }) {
      case .success(let preset): [preset.description, preset.words.shellText]
      case .failure(let failure): [failure.message]
      }
    return
      (["\(file.name) (\(file.path.map { "'\($0)'" } ?? "built in"))"] + lines.compactMap { $0.map { "  " + $0 } })
      .joined(separator: "\n")
  }
}
