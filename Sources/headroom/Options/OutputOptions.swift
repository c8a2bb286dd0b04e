internal import ArgumentParser
internal import FFmpegIO

/// What is written, which part of the input, and what is said meanwhile.
struct OutputOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: ArgumentHelp("Output file; - is standard output.", valueName: "file"))
  var output: String?

  @OptionGroup var coding: CodingOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Size of the output; -1 or -2 for one extent keeps the ratio, -2 makes it even. Scaled by Lanczos in the input's "
        + "own signal, before light is mapped: halos stay small beside highlights.", valueName: "WxH"))
  var scale: PictureScaling?

  @Flag(help: "Turn the pixels as the input says that it is to be shown, instead of passing that on to the player.")
  var bakeRotation = false

  @OptionGroup var selection: SelectionOptions

  @Flag(
    help: "Keep the times of the input. Otherwise the first stream begins at zero, and offsets between streams stay.")
  var copyTimestamps = false

  @Option(
    help: ArgumentHelp(
      "File for a report in JSON: frames, times, settings as resolved, metadata in and out, clipped pixels, measured "
        + "peak.", valueName: "file"))
  var report: String?

  @Flag(help: "Replace an existing output.")
  var overwrite = false

  @OptionGroup var messages: MessageOptions

  /// The output; standard output where a discarding format makes a name needless.
  var url: String { output ?? "-" }

  func validate() throws {
    guard output != nil || coding.format == "null" else {
      throw ValidationError("Say where the output goes with -o FILE (- is standard output; -f null discards it).")
    }
  }
}
