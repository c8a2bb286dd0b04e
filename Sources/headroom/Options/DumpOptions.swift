internal import ArgumentParser
internal import ToneMapping

/// Everything that `dump` is told.
struct DumpOptions: ParsableArguments {
  @OptionGroup(title: "Output") var output: FrameOutputOptions
  @OptionGroup(title: "Light and colour") var mapping: MappingOptions
  @OptionGroup(title: "Light and colour") var rendering: RenderingOptions
  @OptionGroup(title: "Filters and statistics") var filters: FilterOptions
  @OptionGroup(title: "Measured light and HDR10 metadata") var metadata: MetadataOptions
  @OptionGroup(title: "Input overrides") var source: InputOptions

  func validate() throws { try rendering.validate(with: mapping) }

  /// What of the input's dynamic metadata is used; nil is nothing.
  var sceneUse: SceneTracker.Use? { rendering.sceneUse(for: mapping) }
}
