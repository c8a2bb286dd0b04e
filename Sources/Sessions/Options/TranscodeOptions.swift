internal import Displays
internal import Filters

/// All options of a transcode.
public enum TranscodeOptions: OptionTable {
  public static let options: [RequestOption<TranscodeRequest>] =
    OutputOptions.options + CodingOptions.options(of: \.coding) + GeometryOptions.options(of: \.geometry)
    + SelectionOptions.options(of: \.selection) + StreamOptions.options(of: \.streams) + SubtitleOptions.options
    + MappingOptions.options(of: \.mapping) + FollowingOptions.options + RenderingOptions.options(of: \.rendering)
    + ProcessingOptions.options(of: \.processing) + FilterOptions.options + MetadataOptions.options(of: \.metadata)
    + DynamicMetadataOptions.options + InputOptions.options(of: \.input)
}

/// Output of a transcode, and side outputs.
public enum OutputOptions: OptionTable {
  public static let options: [RequestOption<TranscodeRequest>] = [
    RequestOption(.destination, \.output, .text("file"), "Output file; - is standard output.", .isOfSingleRun),
    RequestOption(
      flag: .bakeRotation, \.geometry.bakesRotation,
      "Rotate the pixels as the input says it is to be shown, instead of leaving that to the player."),
    RequestOption(
      flag: .copyTimestamps, \.copiesTimestamps,
      "Keep the input's timestamps. Otherwise the first stream starts at zero; offsets between streams are kept."),
    RequestOption(
      .report, \.report, .text("file"),
      "File for a report in JSON: frames, times, resolved settings, metadata in and out, clipped pixels, measured peak.",
      [.isForVideo, .isForWholeFilm, .isOfSingleRun]),
    RequestOption(flag: .overwrite, \.overwrites, "Replace an existing output."),
    RequestOption(
      flag: .keepPartialName, \.keepsPartialName,
      "Keep the requested name for an output that is stopped early, instead of NAME.partial.EXT."),
  ]
}

/// Visualizations and statistics of the light.
public enum FilterOptions: OptionTable {
  public static let options: [RequestOption<TranscodeRequest>] = options(\.filters, statistics: \.statistics)

  /// Returns the options of a request with filters and statistics.
  package static func options<Request>(
    _ filters: any WritableKeyPath<Request, [String]> & Sendable,
    statistics: any WritableKeyPath<Request, String?> & Sendable
  ) -> [RequestOption<Request>] {
    [
      option(filters),
      RequestOption(
        .statistics, statistics, .text("file"),
        "File for statistics, - is standard output: a line of JSON for each frame and one for all, with the shares of "
          + "pixels outside BT.709 and P3 and above SDR white, 203, 1000 and 4000 cd/m², overall and by hue.",
        [.isForWholeFilm, .isOfSingleRun]),
    ]
  }

  /// Returns the filter option of a request.
  package static func option<Request>(
    _ filters: any WritableKeyPath<Request, [String]> & Sendable
  ) -> RequestOption<Request> {
    let names = FilterKind.all.map(\.name).joined(separator: ", ")
    return RequestOption(
      list: .filter, filters, .filter,
      "\(names), with options as in highlight=gamut=p3:tint=orange; repeat it for several, which are applied in order. "
        + "help lists what each does and its options.")
  }
}

/// Filters and statistics of pictures.
public enum PictureFilterOptions: OptionTable {
  public static let options: [RequestOption<PictureRequest>] = FilterOptions.options(
    \.filters, statistics: \.statistics)
}

/// How to follow a display.
public enum FollowingOptions: OptionTable {
  public static let options: [RequestOption<TranscodeRequest>] = options(\.followsDisplay, ramp: \.headroomRamp)

  /// Returns the options of a request that can follow a display.
  package static func options<Request: DefaultedRequest>(
    _ follows: any WritableKeyPath<Request, Bool> & Sendable, ramp: any WritableKeyPath<Request, Double?> & Sendable
  ) -> [RequestOption<Request>] {
    [
      RequestOption(
        flag: .follow, follows,
        "Follow \(.display) while it changes: a file that is replaced, or the brightness of a connected one.",
        .isForVideo,
        excludes: [.peak, .headroom, .sdrWhite, .twoPass]),
      RequestOption(
        .headroomRamp, ramp, .number("s", 0...60, "s"),
        "With \(.follow): seconds of the film that a rise of the headroom takes.",
        default: HeadroomRamp.defaultDuration.plain, needs: [.follow]),
    ]
  }
}

/// Dynamic metadata of the output.
public enum DynamicMetadataOptions: OptionTable {
  public static let options: [RequestOption<TranscodeRequest>] = [
    RequestOption(
      .hdr10Plus, \.copiesHDR10Plus, .named([("none", false), ("copy", true)], "none|copy"),
      "HDR10+ of the input: leave it out, or copy it to an HDR10 output whose light is not changed (HEVC, AV1).",
      .isForVideo)
  ]
}

extension OptionValue where Value == String {
  /// A filter with its options; all filters of a request are checked together.
  fileprivate static var filter: OptionValue {
    OptionValue(
      "name[=k=v:k=v]", expected: "", parse: { $0 }, text: { $0 },
      check: { _, text throws(Refusal) in
        do { try Filter.check([try Filter(text)]) } catch {
          throw .invalid("invalid-filter", "\(String(describing: error))")
        }
      })
  }
}
