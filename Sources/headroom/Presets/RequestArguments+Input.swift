internal import ColorScience
internal import FFmpegIO
internal import Frames
internal import Sessions
internal import ToneMapping

extension RequestArguments {
  static let input: [RequestArgument] = [
    .option("--input-format", \.input.format),
    .value("--allow-protocols", \.input.protocols) { $0.joined(separator: ",") },
    .option("--input-transfer", \.input.overrides.transfer) { transfer in
      switch transfer {
      case .pq: "pq"
      case .hlg: "hlg"
      case .bt709: "sdr"
      default: nil
      }
    },
    .option("--input-primaries", \.input.overrides.primaries) { primaries in
      InputLightOptions.Primaries.allCases.first { $0.code == primaries }?.rawValue
    },
    .option("--edr-metadata", \.input.overrides.descriptor, descriptor),
    .flag("--strict", \.input.isStrict),
    .option("--input-matrix", \.input.overrides.matrix) { matrix in
      InputMatrix.allCases.first { $0.code == matrix }?.rawValue
    },
    .option("--input-range", \.input.overrides.range) { range in
      InputOptions.Range.allCases.first { $0.code == range }?.rawValue
    },
    .option("--chroma-site", \.input.overrides.chromaLocation) { location in
      InputOptions.ChromaSite.allCases.first { $0.code == location }?.rawValue
    },
    .option("--max-errors", \.input.maxErrors), .flag("--keep-partial", \.input.acceptsTruncation),
    .option("--gain-map", \.input.gainMapHeadroom),
    .value("--background", { BackgroundArgument($0.input.background) }, \.defaultValueDescription),
    .option("--frame-rate", \.input.frameRate) { "\($0.numerator)/\($0.denominator)" },
    .option("--input-start-number", \.input.startNumber),
  ]

  private static let descriptor: @Sendable (ContentInterpretation.StatedDescriptor) -> String? = { stated in
    guard case .metadata(let metadata) = stated else { return "none" }
    guard case .hdr10(let scale) = metadata.kind else { return "hlg" }
    return "hdr10:min=\(metadata.minLuminance):max=\(metadata.maxLuminance):scale=\(scale)"
  }
}
