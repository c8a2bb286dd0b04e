internal import ArgumentParser
internal import Sessions

/// Which streams of the input are written besides the picture, and how.
struct StreamOptions: ParsableArguments {
  @Option(
    name: [.long, .customLong("map", withSingleDash: true)], parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Streams to include, as with ffmpeg's -map (0:v, 0:a:1, 0:s:m:language:eng?, -0:d); may be repeated. "
        + "Without it: every stream that the output can hold.", valueName: "spec"))
  var map: [String] = []

  @Option(
    name: .customLong("c:a", withSingleDash: true),
    help: ArgumentHelp(
      "Encoder, by its ffmpeg name, for audio that the output cannot hold as it is; other audio is copied.",
      valueName: "encoder"))
  var audioEncoder: String?

  @Option(
    name: .customLong("c:s", withSingleDash: true),
    help: ArgumentHelp(
      "Encoder, by its ffmpeg name, for subtitles that the output cannot hold as they are (text: mov_text, subrip or "
        + "webvtt, depending on the container).", valueName: "encoder"))
  var subtitleEncoder: String?

  var request: StreamRequest {
    var request = StreamRequest()
    request.map = map.compactMap(StreamRequest.Entry.init(argument:))
    (request.audioEncoder, request.subtitleEncoder) = (audioEncoder, subtitleEncoder)
    return request
  }

  func validate() throws {
    for entry in map where StreamRequest.Entry(argument: entry) == nil {
      throw ValidationError("'\(entry)' is not a --map: write 0:v, 0:a:1, 0:s?, -0:d, ... (there is one input, 0).")
    }
  }
}

extension StreamRequest.Entry {
  /// "-0:s:m:language:eng?"
  /// - Returns: nil unless it begins with 0, the only input.
  fileprivate init?(argument: String) {
    var rest = argument[...]
    let isNegative = rest.hasPrefix("-")
    if isNegative { rest = rest.dropFirst() }
    let isOptional = rest.hasSuffix("?")
    if isOptional { rest = rest.dropLast() }
    guard rest.hasPrefix("0") else { return nil }
    rest = rest.dropFirst()
    guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
    self.init(String(rest.dropFirst()))
    (self.isNegative, self.isOptional) = (isNegative, isOptional)
  }
}
