internal import ArgumentParser
internal import FFmpegIO
internal import Frames

/// What is written, which part of the input, and what is said meanwhile.
struct OutputOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: ArgumentHelp("Output file; - is standard output.", valueName: "file"))
  var output: String?

  @Option(
    name: .customShort("f"),
    help: ArgumentHelp(
      "Container by ffmpeg's name (mp4, mov, matroska, nut, yuv4mpegpipe, null, framemd5, ...).", valueName: "format"))
  var format: String?

  @Option(
    name: .customLong("c:v", withSingleDash: true),
    help: ArgumentHelp("Video encoder by ffmpeg's name.", valueName: "encoder"))
  var encoder: String?

  @Option(help: ArgumentHelp("The encoder's preset.", valueName: "name"))
  var preset: String?

  @Option(help: ArgumentHelp("Constant quality, on the encoder's scale.", valueName: "q"))
  var crf: Double?

  @Option(
    help: ArgumentHelp(
      "Further options by the encoder's own names (x264: keyint, x265: aq-mode, ...).", valueName: "k=v:k=v"))
  var encoderOptions: String?

  @Option(
    help: ArgumentHelp(
      "Pixel format by ffmpeg's name (yuv420p, yuv420p10le, yuv422p10le, yuv444p, ...).", valueName: "name"))
  var pixelFormat: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Size of the output; -1 or -2 for one extent keeps the ratio, -2 makes it even. Scaled by Lanczos in the input's "
        + "own signal, before light is mapped: halos stay small beside highlights.", valueName: "WxH"))
  var scale: PictureScaling?

  @Flag(help: "Turn the pixels as the input says that it is to be shown, instead of passing that on to the player.")
  var bakeRotation = false

  @OptionGroup var selection: SelectionOptions

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
    guard output != nil || format == "null" else {
      throw ValidationError("Say where the output goes with -o FILE (- is standard output; -f null discards it).")
    }
    if let crf, !(0...255).contains(crf) { throw ValidationError("--crf takes a number from 0 to 255, not \(crf).") }
    if let pixelFormat, PixelLayout(name: pixelFormat) == nil {
      throw ValidationError(
        "The pixel format '\(pixelFormat)' cannot be written: use one of "
          + PixelLayout.outputs.map(\.name).joined(separator: ", ") + ".")
    }
    _ = try parsedEncoderOptions()
  }

  /// `k=v:k=v` in pairs.
  func parsedEncoderOptions() throws -> [(String, String)] {
    guard let encoderOptions else { return [] }
    return try encoderOptions.split(separator: ":").map { option in
      let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw ValidationError("--encoder-options takes k=v:k=v; '\(option)' is not a pair.")
      }
      return (String(parts[0]), String(parts[1]))
    }
  }
}
