internal import ArgumentParser

/// The preset that options are added to.
struct PresetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Start from a preset: a file of options, or a name listed by `headroom presets`. Options on the command line "
        + "replace those of the preset.", valueName: "name"))
  var presetFile: String?
}
