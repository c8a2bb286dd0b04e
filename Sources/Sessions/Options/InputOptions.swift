package import ColorScience
internal import Compositing
internal import Frames
internal import ImageFiles
internal import Rendering
internal import ToneMapping

/// How to open an input, and what it may open.
public enum OpeningOptions: OptionTable {
  public static let options: [RequestOption<InputRequest>] = [
    RequestOption(
      .inputFormat, \.format, .text("name"), "Format of the input, by its ffmpeg name.",
      default:
        "detected from the content; playlists, manifests and other files that name files are recognized only by this "
        + "or by their suffix"),
    RequestOption(
      .allowProtocols, \.protocols, .protocols,
      "ffmpeg protocols allowed for the input and for what it names, such as http,https.", default: "none: files only"),
  ]
}

/// Overrides of the input's tags for R'G'B'.
public enum InputLightOptions: OptionTable {
  public static let options: [RequestOption<InputRequest>] = [
    RequestOption(
      .inputTransfer, \.overrides.transfer, .named([("pq", .pq), ("hlg", .hlg), ("sdr", .bt709)]),
      "Transfer characteristics of the input. pq and hlg imply BT.2020 where the input is not tagged."),
    RequestOption(
      .inputPrimaries, \.overrides.primaries, .named([("bt709", .bt709), ("bt2020", .bt2020), ("p3", .displayP3)]),
      "Colour primaries of the input."),
    RequestOption(
      .edrMetadata, \.overrides.descriptor, .descriptor,
      "What the input's light is: none (1.0 is SDR white; clipped, never tone-mapped), hlg, or "
        + "hdr10[:min=N][:max=N][:scale=N] in cd/m².", default: "what its tags say"),
    RequestOption(
      flag: .strict, \.isStrict, "Fail where something would otherwise be assumed, or dropped, with a warning."),
  ]
}

/// How to read an input.
public enum InputOptions: OptionTable {
  public static let options: [RequestOption<InputRequest>] = OpeningOptions.options + InputLightOptions.options + own

  private static let own: [RequestOption<InputRequest>] = [
    RequestOption(
      .inputMatrix, \.overrides.matrix, .named(matrices, "matrix"),
      "Matrix coefficients of the input, by their ffmpeg names (gbr: its components are R'G'B')."),
    RequestOption(.inputRange, \.overrides.range, .range, "Range of the input's code values."),
    RequestOption(
      .chromaLocation, \.overrides.chromaLocation, .chromaLocation, "Location of the input's chroma samples."),
    RequestOption(
      .maxErrors, \.maxErrors, .count(0...(.max)), "Stop when more frames and packets than this are damaged.",
      default: "any number"),
    RequestOption(flag: .keepPartial, \.acceptsTruncation, "Keep what could be read if the input is truncated."),
    RequestOption(
      .gainMapHeadroom, \.gainMapHeadroom, .number("x", 1...1000),
      "Headroom for which the gain map of an Ultra HDR image is applied; 1 leaves the SDR picture.",
      default: "all that it holds; 1 for SDR output"),
    RequestOption(
      .background, \.background, .background,
      "What pictures with alpha are composited over, in linear light: black, white (203 cd/m² in PQ), #RRGGBB in sRGB; "
        + "none ignores alpha."),
    RequestOption(
      .frameRate, \.frameRate, .frameRate, "Frames per second of pictures: N, N/M or a decimal.", default: "25"),
    RequestOption(
      .inputStartNumber, \.startNumber, .count(0...FileNames.largestNumber),
      "Number of the first file of a sequence such as 'frame-%06d.png'.", default: "the lowest that exists"),
  ]

  /// Matrix coefficients by FFmpeg's names.
  private static let matrices: [(name: String, value: MatrixCoefficients)] = [
    ("gbr", .rgb), ("bt709", .bt709), ("fcc", .fcc), ("bt470bg", .bt470BG), ("smpte170m", .smpte170M),
    ("smpte240m", .smpte240M), ("ycgco", .ycgco), ("bt2020nc", .bt2020NCL), ("bt2020c", .bt2020CL),
    ("smpte2085", .smpteST2085), ("chroma-derived-nc", .chromaticityDerivedNCL),
    ("chroma-derived-c", .chromaticityDerivedCL), ("ictcp", .ictcp),
  ]
}

extension OptionValue where Value == [String] {
  /// Protocol names, as "http,https".
  fileprivate static var protocols: OptionValue {
    OptionValue(
      "names", expected: "names, separated by commas",
      parse: { text in
        let names = text.split(separator: ",").map { $0.lowercased() }
        return names.isEmpty ? nil : names
      }, text: { $0.joined(separator: ",") })
  }
}

extension OptionValue where Value == ContentInterpretation.StatedDescriptor {
  fileprivate static var descriptor: OptionValue {
    OptionValue(
      "descriptor",
      parse: { text throws(InvalidValue) in
        do throws(DescriptorArgument.Failure) { return try DescriptorArgument(parsing: text).stated } catch {
          throw InvalidValue(error.description)
        }
      },
      text: { stated in
        guard case .metadata(let metadata) = stated else { return "none" }
        guard case .hdr10(let scale) = metadata.kind else { return "hlg" }
        return "hdr10:min=\(metadata.minLuminance):max=\(metadata.maxLuminance):scale=\(scale)"
      })
  }
}

extension OptionValue where Value == Background? {
  fileprivate static var background: OptionValue {
    OptionValue(
      "color", expected: "black, white, #RRGGBB or none",
      parse: { text in
        if text.lowercased() == "none" { return .some(nil) }
        return Background.named(text).map { .some($0) }
      }, text: { $0?.name ?? "none" })
  }
}

extension OptionValue {
  package static var range: OptionValue<VideoRange> {
    OptionValue<VideoRange>.named([("limited", .narrow), ("full", .full)], "range")
  }

  package static var chromaLocation: OptionValue<ChromaLocation> {
    OptionValue<ChromaLocation>.named(
      [
        ("left", .left), ("center", .center), ("topleft", .topLeft), ("top", .top), ("bottomleft", .bottomLeft),
        ("bottom", .bottom),
      ], "place")
  }
}
