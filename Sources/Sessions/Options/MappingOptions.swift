internal import Displays
internal import ToneMapping

/// Light mapping to the output's display.
public enum MappingOptions: OptionTable {
  public static let options: [RequestOption<MappingRequest>] = [
    RequestOption(
      .outputKind, \.chosenKind, .choice("kind"),
      "What to make: SDR, HDR10 or HLG at another peak, or pixels of \(.display).",
      default: "sdr; dump: what its space is for", [.mapsLight, .isExpected]),
    RequestOption(
      .toneMap, \.curve, .named(curves, "curve"), "Tone curve.",
      default: "the one that the input's dynamic metadata states, else system",
      [.mapsLight, .changesLight, .isLocked, .isExpected], excludes: [.inverseToneMap]),
    RequestOption(
      .peak, \.peak, .nits, "Peak of the output in cd/m².",
      default: "sdr: SDR white; hdr10: the content's, which is then kept; hlg: 1000",
      [.mapsLight, .changesLight, .isLocked, .isExpected], excludes: [.headroom]),
    RequestOption(
      .headroom, \.headroom, .number("x", 1...400),
      "Peak over SDR white, instead of \(.peak); at most that of \(.display).",
      [.mapsLight, .changesLight, .isLocked], excludes: [.peak]),
    RequestOption(
      .sdrWhite, \.sdrWhite, .nits, "Luminance in cd/m² of SDR white on the output's display.",
      default: "sdr: 100; hdr10 and hlg: the reference white", [.changesLight, .isLocked, .isExpected]),
    RequestOption(
      .referenceWhite, \.referenceWhite, .nits, "Luminance of diffuse white in the content in cd/m².",
      default: "what ST 2094-50 states, else 203", [.mapsLight, .isLocked, .isExpected]),
    RequestOption(
      .gamut, \.gamut, .choice("method"), "How colours outside the output's gamut are brought into it.", .isExpected),
    RequestOption(
      .highlightDesaturation, \.highlightDesaturation, .number("share", 0...1),
      "With \(.gamut, "perceptual"): how far colours brighter than diffuse white move towards white where highlights are "
        + "compressed; 0 leaves the tone curve alone.",
      default: "\(DisplayMapping.Settings.defaultHighlightDesaturation)",
      [.mapsLight, .isIdleInReferenceMode, .isExpected]),
    RequestOption(
      .exposure, \.exposure, .number("stops", -10...10, "stops"), "Stops to brighten the content by.",
      [.mapsLight, .changesLight, .isLocked, .isExpected]),
    RequestOption(
      .black, \.black, .number("nits", 0...10, "cd/m²"),
      "Black of the output's display in cd/m²; shadows are lifted to it.", default: "0",
      [.mapsLight, .changesLight, .isIdleInReferenceMode, .isExpected]),
    RequestOption(
      .ambient, \.surround, .surround, "Light around the output's display, in lux or cd/m2.", default: "the content's",
      [.mapsLight, .changesLight, .isIdleInReferenceMode, .isExpected]),
    RequestOption(
      .display, \.displayChoice, .display,
      "Display to render for: a preset such as edr-5 or reference, a connector, or a file (headroom display lists them).",
      [.mapsLight, .changesLight]),
    RequestOption(
      .headroomForHDR, \.headroomForHDR, .number("x", 1...100),
      "With \(.display): potential headroom below which SDR is made.", excludes: [.outputKind], needs: [.display]),
    RequestOption(
      flag: .inverseToneMap, \.isExpanded,
      "SDR to HDR: expand highlights to the output's peak; HDR10 without a \(.peak) gets 1000 cd/m².",
      [.mapsLight, .changesLight, .isLocked], excludes: [.toneMap, .sdrWhite]),
    RequestOption(
      .hlgOotf, \.hlgOOTF, .choice("display"),
      "Display that HLG's OOTF is applied for: a reference display of 1000 cd/m², or the output's.",
      [.mapsLight, .isIdleInReferenceMode, .isExpected]),
  ]

  /// The HDR10+ curve is named after the number of its standard.
  private static let curves =
    ToneCurve.all.map { ($0.name, MappingRequest.Curve.named($0)) } + [("st2094-40", .hdr10Plus)]
}

extension OptionValue where Value == Double {
  /// A luminance in cd/m².
  fileprivate static var nits: OptionValue { .number("nits", 1...10_000, "cd/m²") }

  /// Ambient light around a display, as illuminance or luminance.
  fileprivate static var surround: OptionValue {
    OptionValue(
      "light", expected: "lux, as 314 or 314 lx, or a luminance, as 100 cd/m2",
      parse: { Surround(rawValue: $0)?.nits }, text: { number.text($0) + " cd/m2" }, check: number.check)
  }

  private static let number = OptionValue.number("light", 0.01...100_000, "cd/m²")
}

extension OptionValue where Value == DisplayChoice {
  fileprivate static var display: OptionValue {
    OptionValue(
      "display",
      parse: { text throws(InvalidValue) in
        do throws(DisplayError) { return try DisplayChoice(named: text) } catch {
          throw InvalidValue(error.description)
        }
      }, text: \.name)
  }
}
