internal import ArgumentParser

/// What the signal that goes into a table stands for.
struct LUTSourceOptions: ParsableArguments {
  @OptionGroup var opening: OpeningOptions
  @OptionGroup var light: InputLightOptions

  @Option(
    help: ArgumentHelp(
      "Peak of PQ content in cd/m², 80 to 10000 (the input's by its metadata; without an input 1000).",
      valueName: "nits"))
  var contentPeak: Int?

  func validate() throws {
    // Below it metadata is not believed either.
    if let contentPeak, !(80...10_000).contains(contentPeak) {
      throw ValidationError("--content-peak takes 80 to 10000 cd/m², not \(contentPeak).")
    }
  }

  /// What goes before the input's tags and metadata.
  var overrides: SourceOverrides {
    var overrides = light.overrides
    overrides.contentPeak = contentPeak.map { UInt16($0) }
    return overrides
  }
}
