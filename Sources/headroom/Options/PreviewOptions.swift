public import ArgumentParser
public import LivePreview
internal import Sessions

extension PreviewRequest.Screen: ExpressibleByArgument {
  public init?(argument: String) {
    switch argument {
    case "window": self = .window
    case "terminal": self = .terminal
    case "null": self = .none
    default:
      guard argument.hasPrefix("/dev/") else { return nil }
      self = .device(argument)
    }
  }
}

/// The output and recording of a preview.
struct PreviewOptions: ParsableArguments {
  enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on, off
  }

  enum Recorded: String, ExpressibleByArgument, CaseIterable {
    case source, sdr, hdr10, hlg

    var kind: OutputKind? { OutputKind(rawValue: rawValue) }
  }

  @Option(
    help: ArgumentHelp(
      "Output: window, terminal, null, or a V4L2 output device (a window if there is a display, else the terminal).",
      valueName: "screen"))
  var screen: PreviewRequest.Screen?

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Also record to a file; - is Y4M on standard output.", valueName: "file"))
  var recording: String?

  @Option(help: "Content of the recording: the source, or mapped as for transcode --to.")
  var recordTo: Recorded = .source

  @OptionGroup var coding: Options<CodingOptions>
  @OptionGroup var filters: Options<PreviewFilterOptions>

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Drop frames of a device that are older than this many milliseconds (none).", valueName: "ms"))
  var maxLatency: Double?

  @Option(
    help: "If rendering cannot keep up with a device for two seconds: render smaller, then lower the device's rate.")
  var adapt: Switch = .on

  @Option(help: ArgumentHelp("Folder for snapshots, key s (the current one).", valueName: "folder"))
  var snapshots: String?

  @OptionGroup var selection: Options<SelectionOptions>

  @Option(
    help: ArgumentHelp("File for a JSON report: frames, drops, latency; - is standard output.", valueName: "file"))
  var report: String?

  @Flag(help: "Replace an existing recording or report.")
  var overwrite = false

  @Flag(help: "Print the plan without carrying it out.")
  var dryRun = false

  @OptionGroup var messages: MessageOptions

  func validate() throws {
    if recording == nil, recordTo != .source || coding.request != CodingRequest() {
      throw ValidationError("-f, -c:v, --record-to and other options of encoders are for a recording: add -o FILE.")
    }
  }

  var recordingRequest: RecordingRequest? {
    recording.map { output in
      var request = RecordingRequest(output)
      (request.coding, request.kind) = (coding.request, recordTo.kind)
      return request
    }
  }
}
