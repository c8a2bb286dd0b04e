internal import ArgumentParser
internal import ColorScience
internal import FFmpegIO

/// Overrides of what the input says about itself.
struct InputOptions: ParsableArguments {
  enum Range: String, ExpressibleByArgument, CaseIterable {
    case limited, full

    var code: VideoRange { self == .full ? .full : .narrow }
  }

  enum ChromaSite: String, ExpressibleByArgument, CaseIterable {
    case left, center, topleft, top, bottomleft, bottom

    var code: ChromaLocation {
      switch self {
      case .left: .left
      case .center: .center
      case .topleft: .topLeft
      case .top: .top
      case .bottomleft: .bottomLeft
      case .bottom: .bottom
      }
    }
  }

  @OptionGroup var light: InputLightOptions

  @Option(help: "Range of the input's code values.")
  var inputRange: Range?

  @Option(help: "Where the input's chroma samples lie.")
  var chromaSite: ChromaSite?

  @Option(
    help: ArgumentHelp("Stop when more frames and packets than this are damaged (default: any number).", valueName: "n")
  )
  var maxErrors: Int?

  @Flag(help: "Finish with what could be read where the input breaks off before its end.")
  var keepPartial = false

  @Option(
    help: ArgumentHelp(
      "Headroom that the gain map of an Ultra HDR image is applied for; 1 leaves the SDR picture (all that it holds).",
      valueName: "x"))
  var gainMap: Double?

  /// What goes before the input's tags.
  var overrides: SourceOverrides {
    var overrides = light.overrides
    overrides.range = inputRange?.code
    overrides.chromaLocation = chromaSite?.code
    return overrides
  }

  /// What is accepted of a damaged input.
  var limits: MediaReader.Limits { MediaReader.Limits(maxErrors: maxErrors, acceptsTruncation: keepPartial) }

  /// The input that these options are for.
  func open(_ name: String, videoIndex: Int? = nil, threads: Int) throws -> any MediaInput {
    try InputFile.open(name, videoIndex: videoIndex, threads: threads, limits: limits, gainMap: gainMap)
  }

  func validate() throws {
    if let gainMap, !(1...1000).contains(gainMap) {
      throw ValidationError("--gain-map takes a headroom from 1 (the SDR picture) to 1000, not \(gainMap).")
    }

    if let maxErrors, maxErrors < 0 { throw ValidationError("--max-errors takes 0 or more, not \(maxErrors).") }
  }
}
