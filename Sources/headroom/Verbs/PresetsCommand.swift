internal import ArgumentParser

/// `headroom presets [NAME]`
struct PresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets", abstract: "Show presets for transcode and plan, as lists of options.")

  @Argument(help: "A preset or a preset file (all in your folder, and the built-in ones).")
  var name: String?

  @Flag(help: "Print the preset as a file, as a basis for a new one.")
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

  /// Lists unusable presets with the reason; they do not affect others.
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
