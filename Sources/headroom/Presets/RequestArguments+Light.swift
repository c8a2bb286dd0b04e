internal import Displays
internal import Rendering
internal import Sessions
internal import ToneMapping

extension RequestArguments {
  static let mapping: [RequestArgument] = [
    .option("--to", group: "kind", \.mapping.chosenKind, \.rawValue),
    .option("--tone-map", group: "curve", \.mapping.curve) { curve in
      switch curve {
      case .named(let curve): curve.name
      case .hdr10Plus: MappingOptions.hdr10PlusCurve
      }
    },
    .option("--peak", group: "peak", \.mapping.peak), .option("--headroom", group: "peak", \.mapping.headroom),
    .option("--sdr-white", \.mapping.sdrWhite), .option("--reference-white", \.mapping.referenceWhite),
    .value("--gamut", \.mapping.gamut, \.rawValue),
    .option("--highlight-desaturation", \.mapping.highlightDesaturation),
    .value("--exposure", \.mapping.exposure) { RequestArgument.text(of: $0) }, .option("--black", \.mapping.black),
    .option("--ambient", \.mapping.surround) { RequestArgument.text(of: $0) + " cd/m2" },
    .option("--display", displayName),
    .value("--hdr-threshold", group: "kind", \.mapping.headroomForHDR) { RequestArgument.text(of: $0) },
    .flag("--inverse-tone-map", group: "curve", \.mapping.isExpanded),
    .value("--hlg-ootf", \.mapping.hlgOOTF, \.rawValue), .flag("--follow") { $0.following != nil },
    .option("--headroom-ramp") { request in
      request.following.flatMap { $0.rampDuration == HeadroomRamp.defaultDuration ? nil : $0.rampDuration }
    },
  ]

  static let rendering: [RequestArgument] = [
    .value("--dynamic-metadata", \.rendering.usesDynamicMetadata) { $0 ? "use" : "ignore" },
    .flag("--no-dither", or: "--dither") { !$0.rendering.dithers }, .option("--threads", \.processing.threads),
    .value("--kernels", \.processing.kernels, \.rawValue),
    .list("--filter", \.filters), .option("--stats", \.statistics),
  ]

  /// A connector is not told apart from what is connected to it: such a display is not among presets.
  private static let displayName: @Sendable (TranscodeRequest) -> String? = { request in
    request.mapping.displayFile ?? request.mapping.display?.model.name
  }
}
