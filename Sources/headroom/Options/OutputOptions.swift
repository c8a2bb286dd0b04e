public import ArgumentParser
internal import FFmpegIO
public import Media

/// The output, the selection, and messages.
struct OutputOptions: ParsableArguments {
  @Option(name: .shortAndLong, help: ArgumentHelp("Output file; - is standard output.", valueName: "file"))
  var output: String?

  @OptionGroup var coding: CodingOptions

  @OptionGroup var geometry: GeometryOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Size of the output; -1 or -2 for one side keeps the aspect ratio, -2 makes it even. Scaled with Lanczos in the "
        + "input's own signal, before light is mapped, which keeps halos around highlights small.", valueName: "WxH"))
  var scale: PictureScaling?

  @Flag(help: "Rotate the pixels as the input says it is to be shown, instead of leaving that to the player.")
  var bakeRotation = false

  @OptionGroup var selection: SelectionOptions

  @Flag(
    help: "Keep the input's timestamps. Otherwise the first stream starts at zero; offsets between streams are kept.")
  var copyTimestamps = false

  @Option(
    help: ArgumentHelp(
      "File for a report in JSON: frames, times, resolved settings, metadata in and out, clipped pixels, measured "
        + "peak.", valueName: "file"))
  var report: String?

  @Flag(help: "Replace an existing output.")
  var overwrite = false

  @Flag(help: "Keep the requested name for an output that is stopped early, instead of NAME.partial.EXT.")
  var keepPartialName = false

  @OptionGroup var plans: PlanOptions
  @OptionGroup var messages: MessageOptions

  func validate() throws {
    guard output != nil || coding.format == "null" else {
      throw ValidationError("Name the output with -o FILE (- is standard output; -f null discards it).")
    }
  }
}

extension PictureScaling: ExpressibleByArgument {
  /// "1280x720", or "1280:720" as for FFmpeg's filter; "1280x-2" or "-1x720" if one side follows from the other, -2 rounded to an even number.
  public init?(argument: String) {
    let extents = argument.split(omittingEmptySubsequences: false) { $0 == "x" || $0 == ":" }.map(Self.extent)
    guard extents.count == 2, let width = extents[0], let height = extents[1] else { return nil }
    self.init(width: width, height: height)
  }

  private static func extent(_ text: Substring) -> Extent? {
    switch text {
    case "-1": .ratio(multiple: 1)
    case "-2": .ratio(multiple: 2)
    default: text.allSatisfy(\.isASCIIDigit) ? Int(text).map(Extent.samples) : nil
    }
  }
}

extension Character {
  var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
