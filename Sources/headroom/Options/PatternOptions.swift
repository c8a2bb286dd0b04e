public import ArgumentParser
public import ColorScience
public import Frames
internal import ImageFiles
public import Patterns
internal import Sessions

/// The kind of test pattern, and its output.
struct PatternOptions: ParsableArguments {
  /// Pixels per point; several values give several files.
  struct Scales: ExpressibleByArgument {
    var values: [Int]

    init(_ values: [Int]) { self.values = values }

    init?(argument: String) {
      let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      values = parts.compactMap(\.self)
      guard values.count == parts.count, !values.isEmpty, values.allSatisfy(PatternRequest.scales.contains),
        Set(values).count == values.count
      else { return nil }
    }

    var defaultValueDescription: String { values.map(String.init).joined(separator: ",") }
  }

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Output: video by the container's suffix, or a picture (png, exr, tiff, avif, jxl, ...); - is standard output.",
      valueName: "file"))
  var output: String?

  @OptionGroup var coding: Options<CodingOptions>

  @Option(help: "Size of the pattern in points.")
  var size: Size = Size(width: 1920, height: 1080)

  @Option(
    help: ArgumentHelp(
      "Pixels per point, 1 to 8: the same layout, finer; single-pixel lines stay one pixel wide. Several values give "
        + "several pictures: name.png, name@2x.png, name@3x.png.", valueName: "n,n"))
  var pointScale = Scales([1])

  @Option(name: .customLong("to"), help: "Kind of signal (the pattern's first, see --describe).")
  var kind: PatternSignal.Kind?

  @Option(help: "Code value range of video (limited, or the pattern's own; full for R'G'B').")
  var range: VideoRange?

  @Option(help: "Location of 4:2:0 chroma samples (topleft for HDR, left for SDR).")
  var chromaSite: ChromaLocation?

  @Option(help: ArgumentHelp("Length of video: seconds or [HH:]MM:SS[.m].", valueName: "time"))
  var duration: Timestamp?

  @Option(help: ArgumentHelp("Frames per second: 25, 23.976, 30000/1001.", valueName: "rate"))
  var rate: FrameRate = FrameRate(Rational(25, 1))

  @Option(help: ArgumentHelp("Colour space of a picture, as for dump.", valueName: "name"))
  var space: ImageSpace?

  @Option(help: ArgumentHelp("Bits per sample of PNG, TIFF and JPEG XL (16, 8) and AVIF (10, 12, 8).", valueName: "n"))
  var bitDepth: Int?

  @Flag(help: "List the patterns.")
  var list = false

  @Flag(help: "Describe the pattern, its parameters, and the expected values of its patches.")
  var describe = false

  @Flag(help: "JSON on standard output: each patch with its rectangle, code values, cd/m² and x, y.")
  var json = false

  @Flag(help: "Print the plan (--json: for `headroom run`) without carrying it out.")
  var dryRun = false

  @Flag(help: "Replace existing files.")
  var overwrite = false

  @OptionGroup var messages: MessageOptions

  func validate() throws {
    for scale in pointScale.values { try validated { try request("", output: "", scale: scale).validate() } }
  }

  func request(_ pattern: String, output: String, scale: Int) -> PatternRequest {
    var request = PatternRequest(pattern, output: output)
    (request.coding, request.size, request.scale) = (coding.request, size, scale)
    (request.kind, request.range, request.chromaLocation) = (kind, range, chromaSite)
    (request.duration, request.frameRate) = (duration?.seconds, rate.value)
    (request.space, request.bitDepth, request.overwrites) = (space, bitDepth, overwrite)
    return request
  }
}

extension PatternSignal.Kind: ExpressibleByArgument {}

extension VideoRange: ExpressibleByArgument {
  public init?(argument: String) {
    guard let range = try? OptionValue<VideoRange>.range.parse(argument) else { return nil }
    self = range
  }

  public static var allValueStrings: [String] { OptionValue<VideoRange>.range.choices }
}

extension ChromaLocation: ExpressibleByArgument {
  public init?(argument: String) {
    guard let location = try? OptionValue<ChromaLocation>.chromaLocation.parse(argument) else { return nil }
    self = location
  }

  public static var allValueStrings: [String] { OptionValue<ChromaLocation>.chromaLocation.choices }
}

extension Size: ExpressibleByArgument {
  /// Parses "1920x1080".
  public init?(argument: String) {
    let extents = argument.split(separator: "x", omittingEmptySubsequences: false).map { text in
      text.allSatisfy { ("0"..."9").contains($0) } ? Int(text) : nil
    }
    guard extents.count == 2, let width = extents[0], let height = extents[1] else { return nil }
    self.init(width: width, height: height)
  }

  public var defaultValueDescription: String { description }
}
