internal import ArgumentParser

/// What kind of table is made, and where it goes.
struct LUTOptions: ParsableArguments {
  enum Dimensions: Int, ExpressibleByArgument, CaseIterable {
    case one = 1
    case three = 3
  }

  enum Shaper: String, ExpressibleByArgument, CaseIterable {
    case none, combined, split
  }

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Output file, named .cube; - is standard output.", valueName: "file"))
  var output: String

  @Option(
    help: ArgumentHelp(
      "Nodes on each axis of a 3D LUT, 2 to 129 (33; 17, 33 and 65 are usual; YouTube takes 32 and 33 and not 65), or "
        + "values of a 1D LUT, 2 to 65536 (1024).", valueName: "n"))
  var size: Int?

  @Option(
    help: ArgumentHelp(
      "3 maps colours. 1 is the curve of greys for each component by itself: colours are off, and the gamut stays.",
      valueName: "3|1"))
  var dimensions: Dimensions = .three

  @Option(
    help: ArgumentHelp(
      "A 1D LUT before the 3D one that spends all cells but one below the peak of PQ content: in the "
        + "same file, as DaVinci Resolve writes it, or beside it as NAME.shaper.cube for readers of one table a file "
        + "(ffmpeg: lut1d=NAME.shaper.cube,lut3d=NAME.cube).", valueName: "none|combined|split"))
  var shaper: Shaper = .none

  @Flag(help: "Describe the table and its errors as JSON on standard output.")
  var json = false

  @Flag(help: "Replace an existing output.")
  var overwrite = false

  @Flag(name: .shortAndLong, help: "Say nothing but warnings and errors.")
  var quiet = false

  /// Nodes on each axis.
  var nodes: Int { size ?? (dimensions == .three ? 33 : 1024) }

  /// Name of the shaper's file; nil where it has none.
  var shaperFile: String? {
    shaper == .split ? String(output.dropLast(Self.suffix.count)) + ".shaper" + Self.suffix : nil
  }

  private static let suffix = ".cube"

  func validate() throws {
    guard output == "-" || output.hasSuffix(Self.suffix) else {
      throw ValidationError(
        "'\(output)' does not end in .cube, in lower case, by which programs know the format: name it so.")
    }
    let sizes = dimensions == .three ? 2...129 : 2...65_536
    guard sizes.contains(nodes) else {
      throw ValidationError(
        "--size takes \(sizes.lowerBound) to \(sizes.upperBound) with --dimensions \(dimensions.rawValue), not \(nodes)."
      )
    }
    if dimensions == .one, shaper != .none {
      throw ValidationError("--shaper goes before a 3D LUT: drop it, or --dimensions 1.")
    }
    if shaper != .none, nodes < 3 {
      throw ValidationError("--shaper needs a --size of at least 3, not \(nodes).")
    }
    if output == "-", shaper == .split {
      throw ValidationError("--shaper split makes two files: name one with -o, or use --shaper combined.")
    }
    if output == "-", json {
      throw ValidationError("--json and -o - both go to standard output: name a file with -o.")
    }
  }
}
