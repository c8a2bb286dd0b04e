internal import ArgumentParser
internal import ColorScience
internal import FFmpegIO
internal import ImageFiles

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

  @OptionGroup var opening: OpeningOptions
  @OptionGroup var light: InputLightOptions

  @Option(
    help: ArgumentHelp(
      "Matrix coefficients of the input by ffmpeg's names (gbr: its components are R'G'B').", valueName: "matrix"))
  var inputMatrix: InputMatrix?

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

  @Option(
    help: ArgumentHelp(
      "What pictures with alpha are laid over, in linear light: black, white (203 cd/m² in PQ), #RRGGBB in sRGB; none "
        + "leaves alpha out (black).", valueName: "color"))
  var background: BackgroundArgument = .init()

  @Option(help: ArgumentHelp("Frames a second of pictures: N, N/M or a decimal (25).", valueName: "rate"))
  var frameRate: FrameRate?

  @Option(
    help: ArgumentHelp(
      "Number of the first file of a sequence such as 'frame-%06d.png' (the lowest that there is).", valueName: "n"))
  var inputStartNumber: Int?

  /// How picture files are read.
  var pictures: StillSettings {
    let overrides = overrides
    return StillSettings(
      gainMapHeadroom: gainMap,
      compositing: Compositing(
        background: background.background,
        tags: ColorTags(primaries: overrides.primaries, transfer: overrides.transfer, range: overrides.range)),
      frameRate: frameRate?.value, startNumber: inputStartNumber)
  }

  /// What goes before the input's tags.
  var overrides: SourceOverrides {
    var overrides = light.overrides
    overrides.matrix = inputMatrix?.code
    overrides.range = inputRange?.code
    overrides.chromaLocation = chromaSite?.code
    return overrides
  }

  /// What is accepted of a damaged input.
  private var limits: MediaReader.Limits { MediaReader.Limits(maxErrors: maxErrors, acceptsTruncation: keepPartial) }

  /// The input that these options are for.
  /// - Parameter opened: Gets what a file says about itself as soon as it is open, also where it has no video.
  func open(
    _ name: String, videoIndex: Int? = nil, threads: Int, opened: (MediaInfo) -> Void = { _ in }
  ) throws -> any MediaInput {
    try opening.open(
      name, videoIndex: videoIndex, threads: threads, limits: limits, pictures: pictures, opened: opened)
  }

  func validate() throws {
    if let gainMap, !(1...1000).contains(gainMap) {
      throw ValidationError("--gain-map takes a headroom from 1 (the SDR picture) to 1000, not \(gainMap).")
    }

    if let inputStartNumber, !(0...FileNames.largestNumber).contains(inputStartNumber) {
      throw ValidationError("--input-start-number takes 0 to 1000000000000, not \(inputStartNumber).")
    }
    if let maxErrors, maxErrors < 0 { throw ValidationError("--max-errors takes 0 or more, not \(maxErrors).") }
  }
}
