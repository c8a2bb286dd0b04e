internal import ArgumentParser
internal import Sessions

/// The options of a transcode, in help groups.
struct TranscodeArguments: ParsableArguments {
  @OptionGroup(title: "Output") var output: Options<OutputOptions>
  @OptionGroup(title: "Output") var coding: Options<CodingOptions>
  @OptionGroup(title: "Output") var geometry: Options<GeometryOptions>
  @OptionGroup(title: "Output") var selection: Options<SelectionOptions>
  @OptionGroup(title: "Output") var plans: PlanOptions
  @OptionGroup(title: "Output") var messages: MessageOptions
  @OptionGroup(title: "Output") var preset: PresetOptions
  @OptionGroup(title: "Streams") var streams: Options<StreamOptions>
  @OptionGroup(title: "Streams") var subtitles: Options<SubtitleOptions>
  @OptionGroup(title: "Light and colour") var mapping: Options<MappingOptions>
  @OptionGroup(title: "Light and colour") var following: Options<FollowingOptions>
  @OptionGroup(title: "Light and colour") var rendering: Options<RenderingOptions>
  @OptionGroup(title: "Light and colour") var processing: Options<ProcessingOptions>
  @OptionGroup(title: "Filters and statistics") var filters: Options<FilterOptions>
  @OptionGroup(title: "Measured light and HDR10 metadata") var metadata: Options<MetadataOptions>
  @OptionGroup(title: "Measured light and HDR10 metadata") var dynamicMetadata: Options<DynamicMetadataOptions>
  @OptionGroup(title: "Input overrides") var source: Options<InputOptions>

  func request(_ input: String) -> TranscodeRequest {
    var request = TranscodeRequest(input: input, output: nil)
    output.apply(to: &request)
    coding.apply(to: &request.coding)
    geometry.apply(to: &request.geometry)
    selection.apply(to: &request.selection)
    streams.apply(to: &request.streams)
    subtitles.apply(to: &request)
    mapping.apply(to: &request.mapping)
    following.apply(to: &request)
    rendering.apply(to: &request.rendering)
    processing.apply(to: &request.processing)
    filters.apply(to: &request)
    metadata.apply(to: &request.metadata)
    dynamicMetadata.apply(to: &request)
    source.apply(to: &request.input)
    return request
  }

  func validate() throws { try validated { try request("").validate() } }
}
