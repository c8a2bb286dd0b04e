internal import ArgumentParser

/// Everything that a transcode is asked for.
struct TranscodeOptions: ParsableArguments {
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Streams") var streams: StreamOptions
  @OptionGroup(title: "Light and colour") var mapping: MappingOptions
  @OptionGroup(title: "Measured light and HDR10 metadata") var metadata: MetadataOptions
  @OptionGroup(title: "Input overrides") var source: InputOptions
}
