public import ArgumentParser
internal import Sessions

extension LUTRequest.Dimensions: ExpressibleByArgument {}
extension LUTRequest.Shaper: ExpressibleByArgument {}

/// The kind of table, and its output.
struct LUTOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Output file, named .cube; - is standard output.", valueName: "file"))
  var output: String

  @Option(
    help: ArgumentHelp(
      "Nodes on each axis of a 3D LUT, 2 to 129 (33; 17, 33 and 65 are common; YouTube accepts 32 and 33, not 65), or "
        + "values of a 1D LUT, 2 to 65536 (1024).", valueName: "n"))
  var nodes: Int?

  @Option(
    help: ArgumentHelp(
      "3 maps colours. 1 applies the grey curve to each component: colours are wrong, and the gamut is not mapped.",
      valueName: "3|1"))
  var dimensions: LUTRequest.Dimensions = .three

  @Option(
    help: ArgumentHelp(
      "A 1D LUT before the 3D one that puts all cells but one below the peak of PQ content: in the same file, as "
        + "DaVinci Resolve writes it, or beside it as NAME.shaper.cube for programs that read one table per file "
        + "(ffmpeg: lut1d=NAME.shaper.cube,lut3d=NAME.cube).", valueName: "none|combined|split"))
  var shaper: LUTRequest.Shaper = .none

  @Flag(help: "Describe the table and its errors as JSON on standard output.")
  var json = false

  @Flag(help: "Replace an existing output.")
  var overwrite = false

  @Flag(name: .shortAndLong, help: "Print only warnings and errors.")
  var quiet = false

  var request: LUTRequest {
    var request = LUTRequest()
    (request.dimensions, request.size, request.shaper) = (dimensions, nodes, shaper)
    return request
  }

  /// The file name of the shaper; nil: none.
  var shaperFile: String? {
    shaper == .split ? String(output.dropLast(Self.suffix.count)) + ".shaper" + Self.suffix : nil
  }

  private static let suffix = ".cube"

  func validate() throws {
    guard output == "-" || output.hasSuffix(Self.suffix) else {
      throw ValidationError(
        "'\(output)' does not end in .cube, in lower case, by which programs recognize the format: rename it.")
    }
    try validated { try request.validate() }
    if output == "-", shaper == .split {
      throw ValidationError("--shaper split writes two files: name one with -o, or use --shaper combined.")
    }
    if output == "-", json {
      throw ValidationError("--json and -o - both go to standard output: name a file with -o.")
    }
  }
}

/// The input signal of a table.
struct LUTSourceOptions: ParsableArguments {
  @OptionGroup var opening: Options<OpeningOptions>
  @OptionGroup var light: Options<InputLightOptions>

  @Option(
    help: ArgumentHelp(
      "Peak of PQ content in cd/m², 80 to 10000 (from the input's metadata; without an input 1000).",
      valueName: "nits"))
  var contentPeak: Int?

  func validate() throws {
    // Metadata below 80 is not trusted, either.
    if let contentPeak, !(80...10_000).contains(contentPeak) {
      throw ValidationError("--content-peak takes 80 to 10000 cd/m², not \(contentPeak).")
    }
  }

  /// Overrides of the input's tags and metadata.
  var overrides: SourceOverrides {
    var overrides = light.request.overrides
    overrides.contentPeak = contentPeak.map { UInt16($0) }
    return overrides
  }
}
