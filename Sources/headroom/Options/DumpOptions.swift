internal import ArgumentParser

/// Everything that `dump` is told.
struct DumpOptions: ParsableArguments {
  @OptionGroup(title: "Output") var output: FrameOutputOptions
  @OptionGroup(title: "Mapping") var mapping: MappingOptions
  @OptionGroup(title: "Metadata") var metadata: MetadataOptions
  @OptionGroup(title: "Input overrides") var source: InputOptions
}
