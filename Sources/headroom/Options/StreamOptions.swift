internal import ArgumentParser

/// Which streams of the input go into the output beside the picture, and how.
struct StreamOptions: ParsableArguments {
  @Option(
    name: [.long, .customLong("map", withSingleDash: true)], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Streams to take, as ffmpeg's -map (0:v, 0:a:1, 0:s:m:language:eng?, -0:d); may be repeated. "
        + "Without it: every stream that the output can hold.", valueName: "spec"))
  var map: [String] = []

  @Option(
    name: .customLong("c:a", withSingleDash: true),
    help: ArgumentHelp(
      "Encoder by ffmpeg's name for sound that the output cannot hold as it is; the rest is copied.",
      valueName: "encoder"))
  var soundEncoder: String?

  @Option(
    name: .customLong("c:s", withSingleDash: true),
    help: ArgumentHelp(
      "Encoder by ffmpeg's name for subtitles that the output cannot hold as they are (text: mov_text, subrip or "
        + "webvtt, by the container).", valueName: "encoder"))
  var subtitleEncoder: String?

  func validate() throws {
    for entry in map where StreamMap.Entry(entry) == nil {
      throw ValidationError("'\(entry)' is no --map: write 0:v, 0:a:1, 0:s?, -0:d, ... (there is one input, 0).")
    }
  }
}
