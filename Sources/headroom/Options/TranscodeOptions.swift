internal import ArgumentParser
internal import Displays
internal import Sessions
internal import ToneMapping

/// All options of a transcode.
struct TranscodeOptions: ParsableArguments {
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Output") var preset: PresetOptions
  @OptionGroup(title: "Streams") var streams: StreamOptions
  @OptionGroup(title: "Light and colour") var mapping: MappingOptions
  @OptionGroup(title: "Light and colour") var following: FollowingOptions
  @OptionGroup(title: "Light and colour") var rendering: RenderingOptions
  @OptionGroup(title: "Filters and statistics") var filters: FilterOptions
  @OptionGroup(title: "Measured light and HDR10 metadata") var metadata: MetadataOptions
  @OptionGroup(title: "Measured light and HDR10 metadata") var dynamicMetadata: HDR10PlusOptions
  @OptionGroup(title: "Input overrides") var source: InputOptions

  func validate() throws { try rendering.validate(with: mapping) }

  func request(_ input: String) -> TranscodeRequest {
    var request = TranscodeRequest(input: input, output: output.output)
    request.input = source.request(input)
    (request.coding, request.streams) = (output.coding.request, streams.request)
    (request.burnedSubtitles, request.subtitlePalette) = (streams.burnSubtitles, streams.subtitlePalette)
    (request.mapping, request.rendering, request.metadata) = (mapping.request, rendering.request, metadata.request)
    (request.filters, request.statistics, request.report) = (filters.texts, filters.stats, output.report)
    (request.scale, request.bakesRotation, request.selection) = (
      output.scale, output.bakeRotation, output.selection.request
    )
    (request.deinterlacing, request.crop) = (output.geometry.deinterlace, output.geometry.crop)
    request.cropLimit = output.geometry.cropLimit
    (request.copiesTimestamps, request.overwrites) = (output.copyTimestamps, output.overwrite)
    request.copiesHDR10Plus = dynamicMetadata.hdr10Plus == .copy
    request.keepsPartialName = output.keepPartialName
    request.following = following.request(mapping.display)
    request.processing = rendering.processing.request
    return request
  }
}

/// Dynamic metadata of the output.
struct HDR10PlusOptions: ParsableArguments {
  enum HDR10Plus: String, ExpressibleByArgument, CaseIterable {
    case none, copy
  }

  @Option(
    name: .customLong("hdr10plus"),
    help: "HDR10+ of the input: leave it out, or copy it to an HDR10 output whose light is not changed (HEVC, AV1).")
  var hdr10Plus = HDR10Plus.none
}

/// How a display is followed.
struct FollowingOptions: ParsableArguments {
  @Flag(help: "Follow --display while it changes: a file that is replaced, or the brightness of a connected one.")
  var follow = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With --follow: seconds of the film that a rise of the headroom takes (1).", valueName: "s"))
  var headroomRamp: Double?

  func validate() throws {
    if headroomRamp != nil, !follow { throw ValidationError("--headroom-ramp is for --follow: add it.") }
  }

  func request(_ display: DisplayArgument?) -> DisplayFollowing? {
    guard follow else { return nil }
    var following = DisplayFollowing(display?.source.map { .live($0) } ?? .events([]))
    following.rampDuration = headroomRamp ?? following.rampDuration
    return following
  }
}
