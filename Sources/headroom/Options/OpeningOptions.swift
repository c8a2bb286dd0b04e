internal import ArgumentParser
internal import FFmpegIO
internal import ImageFiles
internal import Media
internal import Sessions

/// How an input is opened, and what it may open.
struct OpeningOptions: ParsableArguments {
  /// Names of protocols, as "http,https".
  struct Protocols: ExpressibleByArgument {
    let names: [String]

    init?(argument: String) {
      names = argument.split(separator: ",").map { $0.lowercased() }
      guard !names.isEmpty else { return nil }
    }
  }

  @Option(
    help: ArgumentHelp(
      "Format of the input, by its ffmpeg name (default: detected from the content; playlists, manifests and other "
        + "files that name files are recognized only by this or by their suffix).", valueName: "name"))
  var inputFormat: String?

  @Option(
    help: ArgumentHelp(
      "ffmpeg protocols allowed for the input and for what it names, such as http,https (none: files only).",
      valueName: "names"))
  var allowProtocols: Protocols?

  func request(_ name: String) -> InputRequest {
    var request = InputRequest(name)
    (request.format, request.protocols) = (inputFormat, allowProtocols?.names ?? [])
    return request
  }
}
