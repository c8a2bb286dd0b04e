public import ArgumentParser
public import ToneMapping

extension GamutMapping.Method: ExpressibleByArgument {}

/// How light is brought to the output's display.
struct MappingOptions: ParsableArguments {
  enum OutputKind: String, ExpressibleByArgument, CaseIterable {
    case sdr, hdr10, hlg
  }

  enum OOTF: String, ExpressibleByArgument, CaseIterable {
    case reference, display
  }

  @Option(
    name: .customLong("to"),
    help: "What to make: SDR, or HDR10 or HLG at another peak (sdr; dump: what its space is for).")
  var chosenKind: OutputKind?

  var to: OutputKind { chosenKind ?? .sdr }

  /// The curve that HDR10+ states, by the name of its standard.
  static let hdr10PlusCurve = "st2094-40"
  private static let curves = (ToneCurve.all.map(\.name) + [hdr10PlusCurve]).joined(separator: ", ")

  @Option(
    help: ArgumentHelp(
      "Tone curve: \(curves) (the one that the input's dynamic metadata states, else system).", valueName: "curve"))
  var toneMap: String?

  @Option(
    help: ArgumentHelp(
      "Peak of the output in cd/m² (sdr: its SDR white; hdr10: the content's, which then stays as it is; hlg: 1000).",
      valueName: "nits"))
  var peak: Double?

  @Option(
    help: ArgumentHelp(
      "Luminance in cd/m² that the output's display shows SDR white at (sdr: 100; hdr10 and hlg: the reference white).",
      valueName: "nits"))
  var sdrWhite: Double?

  @Option(
    help: ArgumentHelp(
      "Luminance of diffuse white in the content in cd/m² (what ST 2094-50 states, else 203).", valueName: "nits"))
  var referenceWhite: Double?

  @Option(help: "How colours outside the output's gamut are brought into it.")
  var gamut: GamutMapping.Method = .compress

  @Option(help: "Display that HLG's OOTF is made for: a reference one of 1000 cd/m², or the output's.")
  var hlgOotf: OOTF = .reference

  func validate() throws {
    if let toneMap, toneMap != Self.hdr10PlusCurve, ToneCurve.named(toneMap) == nil {
      throw ValidationError("There is no tone curve '\(toneMap)': use one of \(Self.curves).")
    }
    try Self.check("--peak", peak, 1...10_000, "cd/m²")
    try Self.check("--sdr-white", sdrWhite, 1...10_000, "cd/m²")
    try Self.check("--reference-white", referenceWhite, 1...10_000, "cd/m²")
    if let peak, let sdrWhite, peak < sdrWhite {
      throw ValidationError(
        "--peak \(peak) is below --sdr-white \(sdrWhite): a display is at least as bright as its SDR white.")
    }
    if to == .hdr10, let peak, peak < 80 {
      throw ValidationError(
        "--peak \(peak) is too low for HDR10, whose players disbelieve less than 80 cd/m²: make SDR.")
    }
  }

  private static func check(_ name: String, _ value: Double?, _ range: ClosedRange<Double>, _ unit: String) throws {
    guard let value, !range.contains(value) else { return }
    throw ValidationError("\(name) takes \(range.lowerBound) to \(range.upperBound) \(unit), not \(value).")
  }

  /// Something is asked of the mapping.
  var isAsked: Bool {
    chosenKind != nil || toneMap != nil || peak != nil || referenceWhite != nil || hlgOotf == .display
  }

  /// The curve for scenes whose metadata states none.
  var curve: ToneCurve { toneMap.flatMap(ToneCurve.named) ?? .system }
}
