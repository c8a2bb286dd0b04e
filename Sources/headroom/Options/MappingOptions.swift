public import ArgumentParser
internal import Displays
internal import Sessions
public import ToneMapping

extension GamutMapping.Method: ExpressibleByArgument {}
extension OutputKind: ExpressibleByArgument {}
extension DisplayMapping.OOTF: ExpressibleByArgument {}
extension Surround: ExpressibleByArgument {}

/// The argument of `--display`, and why it is none.
struct DisplayArgument: ExpressibleByArgument {
  private let result: Result<(source: DisplaySource, status: DisplayStatus), DisplayError>

  init(argument: String) {
    result = Result { () throws(DisplayError) in
      let source = try DisplaySource(named: argument)
      return (source, try source.status())
    }
  }

  var source: DisplaySource? { try? result.get().source }
  var status: DisplayStatus? { try? result.get().status }

  /// - Throws: `ValidationError` with the reason.
  func check() throws { if case .failure(let error) = result { throw ValidationError(error.description) } }
}

/// How light is mapped to the output's display.
struct MappingOptions: ParsableArguments {
  @Option(
    name: .customLong("to"),
    help: "What to make: SDR, HDR10 or HLG at another peak, or pixels of --display (sdr; dump: what its space is for).")
  var chosenKind: OutputKind?

  /// The curve of HDR10+, by the number of its standard.
  static let hdr10PlusCurve = "st2094-40"
  private static let curves = (ToneCurve.all.map(\.name) + [hdr10PlusCurve]).joined(separator: ", ")

  @Option(
    help: ArgumentHelp(
      "Tone curve: \(curves) (the one that the input's dynamic metadata states, else system).", valueName: "curve"))
  var toneMap: String?

  @Option(
    help: ArgumentHelp(
      "Peak of the output in cd/m² (sdr: SDR white; hdr10: the content's, which is then kept; hlg: 1000).",
      valueName: "nits"))
  var peak: Double?

  @Option(help: ArgumentHelp("Peak over SDR white, instead of --peak; at most that of --display.", valueName: "x"))
  var headroom: Double?

  @Option(
    help: ArgumentHelp(
      "Luminance in cd/m² of SDR white on the output's display (sdr: 100; hdr10 and hlg: the reference white).",
      valueName: "nits"))
  var sdrWhite: Double?

  @Option(
    help: ArgumentHelp(
      "Luminance of diffuse white in the content in cd/m² (what ST 2094-50 states, else 203).", valueName: "nits"))
  var referenceWhite: Double?

  @Option(help: "How colours outside the output's gamut are brought into it.")
  var gamut: GamutMapping.Method = .perceptual

  @Option(
    help: ArgumentHelp(
      "With --gamut perceptual: how far colours brighter than diffuse white move towards white where highlights are "
        + "compressed, 0 to 1; 0 leaves the tone curve alone (\(DisplayMapping.Settings.defaultHighlightDesaturation)).",
      valueName: "share"))
  var highlightDesaturation: Double?

  @Option(parsing: .unconditional, help: ArgumentHelp("Stops to brighten the content by (0).", valueName: "stops"))
  var exposure = 0.0

  @Option(
    help: ArgumentHelp("Black of the output's display in cd/m²; shadows are lifted to it (0).", valueName: "nits"))
  var black: Double?

  @Option(help: ArgumentHelp("Light around the output's display, in lux or cd/m2 (the content's).", valueName: "light"))
  var ambient: Surround?

  @Option(
    help: ArgumentHelp(
      "Display to render for: a preset such as edr-5 or reference, a connector, or a file (headroom display lists them).",
      valueName: "display"))
  var display: DisplayArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --display: potential headroom below which SDR is made (\(DisplayModel.headroomForHDR)).", valueName: "x"))
  var hdrThreshold: Double?

  @Flag(help: "SDR to HDR: expand highlights to the output's peak; HDR10 without a --peak gets 1000 cd/m².")
  var inverseToneMap = false

  @Option(help: "Display that HLG's OOTF is applied for: a reference display of 1000 cd/m², or the output's.")
  var hlgOotf: DisplayMapping.OOTF = .reference

  func validate() throws {
    if let toneMap, toneMap != Self.hdr10PlusCurve, ToneCurve.named(toneMap) == nil {
      throw ValidationError("There is no tone curve '\(toneMap)': use one of \(Self.curves).")
    }
    try display?.check()
    if hdrThreshold != nil, display == nil || chosenKind != nil {
      throw ValidationError("--hdr-threshold lets --display decide what is made: add --display, and omit --to.")
    }
    try validated { try request.validate() }
  }

  var request: MappingRequest {
    var request = MappingRequest()
    request.chosenKind = chosenKind
    request.curve =
      toneMap == Self.hdr10PlusCurve ? .hdr10Plus : toneMap.flatMap(ToneCurve.named).map { .named($0) }
    (request.peak, request.sdrWhite, request.referenceWhite) = (peak, sdrWhite, referenceWhite)
    request.headroom = headroom
    if case .file(let path) = display?.source { request.displayFile = path }
    (request.exposure, request.isExpanded) = (exposure, inverseToneMap)
    (request.black, request.surround) = (black, ambient?.nits)
    (request.display, request.headroomForHDR) = (
      display?.status, hdrThreshold ?? DisplayModel.headroomForHDR
    )
    (request.gamut, request.highlightDesaturation, request.hlgOOTF) = (gamut, highlightDesaturation, hlgOotf)
    return request
  }
}
