internal import ArgumentParser

/// What is said on standard error.
struct MessageOptions: ParsableArguments {
  enum Progress: String, ExpressibleByArgument, CaseIterable {
    case line, json, none
  }

  @Flag(name: .shortAndLong, help: "Say nothing but warnings and errors.")
  var quiet = false

  @Flag(name: .shortAndLong, help: "Say more, with the messages of FFmpeg and the encoder.")
  var verbose = false

  @Option(
    name: .customLong("progress"), help: "Progress: a line on a terminal, or one JSON object a line on standard error.")
  var chosenProgress: Progress = .line

  /// The line is for those who want to be told.
  var progress: Progress { quiet && chosenProgress == .line ? .none : chosenProgress }
}
