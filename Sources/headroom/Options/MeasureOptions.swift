internal import ArgumentParser
internal import Sessions

/// The measurement, and its output.
struct MeasureOptions: ParsableArguments {
  enum Form: String, EnumerableFlag {
    case json, csv

    static func help(for form: Form) -> ArgumentHelp? {
      switch form {
      case .json: "The full result, as JSON that transcode can read (default)."
      case .csv: "A line per frame: frame, time, peak, average."
      }
    }
  }

  @Option(
    name: .shortAndLong, help: ArgumentHelp("File for the result; - is standard output (default).", valueName: "file"))
  var output: String = "-"

  @Flag(exclusivity: .exclusive)
  var form: Form = .json

  @Flag(help: "Exclude black bars from averages and percentiles.")
  var excludeLetterbox = false

  @Flag(help: "Replace an existing output.")
  var overwrite = false

  @OptionGroup var selection: Options<SelectionOptions>
  @OptionGroup var processing: Options<ProcessingOptions>
  @OptionGroup var messages: MessageOptions
}
