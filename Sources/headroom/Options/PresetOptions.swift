internal import ArgumentParser

/// The preset that the options are added to.
struct PresetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Begin with a preset: a file of options, or a name that `headroom presets` lists. Options that are given as well "
        + "replace those of the preset.", valueName: "name"))
  var presetFile: String?
}
