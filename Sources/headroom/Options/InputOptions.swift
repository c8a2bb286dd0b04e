internal import ArgumentParser
internal import ColorScience
internal import FFmpegIO
internal import ImageFiles
internal import Media
internal import Sessions

/// Overrides of the input's tags.
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
      "Matrix coefficients of the input, by their ffmpeg names (gbr: its components are R'G'B').", valueName: "matrix"))
  var inputMatrix: InputMatrix?

  @Option(help: "Range of the input's code values.")
  var inputRange: Range?

  @Option(help: "Location of the input's chroma samples.")
  var chromaSite: ChromaSite?

  @Option(
    help: ArgumentHelp("Stop when more frames and packets than this are damaged (default: any number).", valueName: "n")
  )
  var maxErrors: Int?

  @Flag(help: "Keep what could be read if the input is truncated.")
  var keepPartial = false

  @Option(
    help: ArgumentHelp(
      "Headroom for which the gain map of an Ultra HDR image is applied; 1 leaves the SDR picture (all that it holds; 1 for SDR output).",
      valueName: "x"))
  var gainMap: Double?

  @Option(
    help: ArgumentHelp(
      "What pictures with alpha are composited over, in linear light: black, white (203 cd/m² in PQ), #RRGGBB in sRGB; "
        + "none ignores alpha (black).", valueName: "color"))
  var background: BackgroundArgument = .init()

  @Option(help: ArgumentHelp("Frames per second of pictures: N, N/M or a decimal (25).", valueName: "rate"))
  var frameRate: FrameRate?

  @Option(
    help: ArgumentHelp(
      "Number of the first file of a sequence such as 'frame-%06d.png' (the lowest that exists).", valueName: "n"))
  var inputStartNumber: Int?

  /// Overrides of the input's tags.
  private var overrides: SourceOverrides {
    var overrides = light.overrides
    overrides.matrix = inputMatrix?.code
    overrides.range = inputRange?.code
    overrides.chromaLocation = chromaSite?.code
    return overrides
  }

  func request(_ name: String) -> InputRequest {
    var request = opening.request(name)
    (request.overrides, request.isStrict) = (overrides, light.strict)
    (request.maxErrors, request.acceptsTruncation) = (maxErrors, keepPartial)
    (request.gainMapHeadroom, request.background) = (gainMap, background.background)
    (request.frameRate, request.startNumber) = (frameRate?.value, inputStartNumber)
    return request
  }

  func validate() throws { try validated { try request("").validate() } }
}

/// Matrix coefficients by ffmpeg's names.
enum InputMatrix: String, ExpressibleByArgument, CaseIterable {
  case gbr, bt709, fcc, bt470bg, smpte170m, smpte240m, ycgco, bt2020nc, bt2020c, smpte2085
  case chromaDerivedNC = "chroma-derived-nc"
  case chromaDerivedC = "chroma-derived-c"
  case ictcp

  var code: MatrixCoefficients {
    switch self {
    case .gbr: .rgb
    case .bt709: .bt709
    case .fcc: .fcc
    case .bt470bg: .bt470BG
    case .smpte170m: .smpte170M
    case .smpte240m: .smpte240M
    case .ycgco: .ycgco
    case .bt2020nc: .bt2020NCL
    case .bt2020c: .bt2020CL
    case .smpte2085: .smpteST2085
    case .chromaDerivedNC: .chromaticityDerivedNCL
    case .chromaDerivedC: .chromaticityDerivedCL
    case .ictcp: .ictcp
    }
  }
}

/// The argument of `--background`.
struct BackgroundArgument: ExpressibleByArgument, Equatable {
  /// nil: alpha is ignored.
  var background: Background? = .black

  init() {}

  init(_ background: Background?) { self.background = background }

  init?(argument: String) {
    if argument.lowercased() == "none" {
      background = nil
    } else if let named = Background.named(argument) {
      background = named
    } else {
      return nil
    }
  }

  var defaultValueDescription: String { background?.name ?? "none" }
}
