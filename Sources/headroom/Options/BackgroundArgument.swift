internal import ArgumentParser
internal import FFmpegIO

/// What `--background` takes.
struct BackgroundArgument: ExpressibleByArgument {
  /// nil: alpha is left out.
  var background: Background? = .black

  init() {}

  init?(argument: String) {
    if argument.lowercased() == "none" {
      background = nil
    } else if let named = Background(named: argument) {
      background = named
    } else {
      return nil
    }
  }

  var defaultValueDescription: String { background?.name ?? "none" }
}
