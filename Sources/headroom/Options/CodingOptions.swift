internal import ArgumentParser
internal import Frames
internal import Sessions

/// The container and the encoder of a video output.
struct CodingOptions: ParsableArguments {
  @Option(
    name: .customShort("f"),
    help: ArgumentHelp(
      "Container, by its ffmpeg name (mp4, mov, matroska, nut, yuv4mpegpipe, null, framemd5, ...).",
      valueName: "format"))
  var format: String?

  @Option(
    name: .customLong("c:v", withSingleDash: true),
    help: ArgumentHelp("Video encoder, by its ffmpeg name.", valueName: "encoder"))
  var encoder: String?

  @Option(help: ArgumentHelp("The encoder's preset.", valueName: "name"))
  var preset: String?

  @Option(help: ArgumentHelp("Constant quality, on the encoder's scale.", valueName: "q"))
  var crf: Double?

  @Option(
    help: ArgumentHelp(
      "Further encoder options, by the encoder's own names (x264: keyint, x265: aq-mode, ...).", valueName: "k=v:k=v"))
  var encoderOptions: String?

  @Option(
    help: ArgumentHelp(
      "Pixel format, by its ffmpeg name (yuv420p, yuv420p10le, yuv422p10le, yuv444p, gbrp10le, gray10le, ...).",
      valueName: "name"))
  var pixelFormat: String?

  func validate() throws {
    if let pixelFormat, PixelLayout(name: pixelFormat) == nil {
      throw ValidationError(
        "The pixel format '\(pixelFormat)' cannot be written: use one of "
          + PixelLayout.outputs.map(\.name).joined(separator: ", ") + ".")
    }
    _ = try options()
    try validated { try request.validate() }
  }

  var request: CodingRequest {
    var request = CodingRequest()
    (request.format, request.encoder, request.preset, request.crf) = (format, encoder, preset, crf)
    request.encoderOptions = try? options()
    request.layout = pixelFormat.flatMap(PixelLayout.init(name:))
    return request
  }

  /// `k=v:k=v` as pairs; nil if not specified.
  private func options() throws -> [CodingRequest.Option]? {
    try encoderOptions?.split(separator: ":").map { option in
      let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw ValidationError("--encoder-options takes k=v:k=v; '\(option)' is not a pair.")
      }
      return CodingRequest.Option(String(parts[0]), String(parts[1]))
    }
  }
}
