public import ArgumentParser
internal import FFmpegIO
public import ImageFiles
internal import Media
public import Sessions
internal import ToneMapping

extension ImageFormat: ExpressibleByArgument {
  public init?(argument: String) { self.init(named: argument) }
}

extension EXRCompression: ExpressibleByArgument {}

extension ImageSpace: ExpressibleByArgument {
  public init?(argument: String) {
    // A display's space is produced with --to display.
    guard let space = ImageSpace.named(argument), Self.all.contains(space) else { return nil }
    self = space
  }

  public static var allValueStrings: [String] { all.map(\.name) }
  public var defaultValueDescription: String { name }
}

extension PictureRequest.Stage: ExpressibleByArgument {}

extension PictureRequest.Grid: ExpressibleByArgument {
  public init?(argument: String) {
    let extents = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard extents.count == 2, let columns = extents[0], let rows = extents[1], (1...32).contains(columns),
      (1...32).contains(rows)
    else { return nil }
    self.init(columns: columns, rows: rows)
  }
}

/// The frames to write, and their format.
struct FrameOutputOptions: ParsableArguments {
  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Output: a pattern with a number, such as 'out/%06d.exr', or one file; - is standard output.", valueName: "file"))
  var output: String

  @Option(
    name: .customShort("f"),
    help: ArgumentHelp(
      "Format (from the suffix of the output): \(ImageFormat.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "format"))
  var format: ImageFormat?

  @Option(
    help: ArgumentHelp(
      "Colour space (linear formats: extendedLinearITUR_2020; others: the input's): "
        + "\(ImageSpace.all.map { "\($0.name) or \($0.shortName)" }.joined(separator: ", ")).", valueName: "name"))
  var space: ImageSpace?

  @Option(
    help: """
      Stage after which to capture a frame: decoding, mapping to the display, filters, or coding as in transcode \
      (decoded; mapped for sRGB and P3 spaces, and where mapping is requested).
      """)
  var stage: PictureRequest.Stage?

  @Option(help: ArgumentHelp("Bits per sample of PNG, TIFF and JPEG XL (16, 8) and AVIF (10, 12, 8).", valueName: "n"))
  var bitDepth: Int?

  @Option(help: "Compression of OpenEXR (zip).")
  var compression: EXRCompression?

  @Flag(help: "AVIF and JPEG XL: keep every bit of the coded samples.")
  var lossless = false

  @Option(
    help: ArgumentHelp(
      "Contact sheet of C x R frames, evenly spaced over the input and labelled with their times.", valueName: "CxR"))
  var contact: PictureRequest.Grid?

  @Option(
    help: ArgumentHelp(
      "Number of the first file; later ones increase by one, even with --every (the first frame of --frames, else 0).",
      valueName: "n"))
  var startNumber: Int?

  @OptionGroup var geometry: Options<GeometryOptions>

  @Flag(inversion: .prefixedNo, help: "Apply the input's rotation to the pictures.")
  var bakeRotation = true

  @Flag(help: "Replace existing files.")
  var overwrite = false

  @OptionGroup var selection: Options<FrameSelectionOptions>
  @OptionGroup var plans: PlanOptions
  @OptionGroup var messages: MessageOptions

  func request(input: String, _ format: ImageFormat) -> PictureRequest {
    var request = PictureRequest(input: input, output: output, format: format)
    (request.space, request.stage, request.bitDepth, request.compression) = (space, stage, bitDepth, compression)
    request.isLossless = lossless
    selection.apply(to: &request.selection)
    geometry.apply(to: &request.geometry)
    (request.contact, request.startNumber) = (contact, startNumber)
    (request.geometry.bakesRotation, request.overwrites) = (bakeRotation, overwrite)
    return request
  }

  /// - Throws: `ValidationError` that names a remedy.
  func chosenFormat() throws -> ImageFormat {
    if let format { return format }
    let names = ImageFormat.allCases.map(\.rawValue).joined(separator: ", ")
    if output == "-" { throw ValidationError("Name the format for standard output with -f: one of \(names).") }
    guard let format = ImageFormat(suffixOf: output) else {
      let suffix = ImageFormat.suffix(of: output)
      throw ValidationError(
        suffix.isEmpty
          ? "'\(output)' has no suffix that names a format: add one, or use -f with one of \(names)."
          : "There is no format '.\(suffix)': end the name with one of "
            + "\(ImageFormat.allCases.flatMap(\.suffixes).map { "." + $0 }.joined(separator: ", ")), or use -f.")
    }
    return format
  }
}

/// The options of `dump`, in the groups of its help.
struct DumpArguments: ParsableArguments {
  @OptionGroup(title: "Output") var output: FrameOutputOptions
  @OptionGroup(title: "Light and colour") var mapping: Options<MappingOptions>
  @OptionGroup(title: "Light and colour") var rendering: Options<RenderingOptions>
  @OptionGroup(title: "Light and colour") var processing: Options<ProcessingOptions>
  @OptionGroup(title: "Filters and statistics") var filters: Options<PictureFilterOptions>
  @OptionGroup(title: "Measured light and HDR10 metadata") var metadata: Options<MetadataOptions>
  @OptionGroup(title: "Input overrides") var source: Options<InputOptions>

  func validate() throws { try validated { try request("").validate() } }

  func request(_ input: String) throws -> PictureRequest {
    var request = try output.request(input: input, output.chosenFormat())
    mapping.apply(to: &request.mapping)
    rendering.apply(to: &request.rendering)
    processing.apply(to: &request.processing)
    filters.apply(to: &request)
    metadata.apply(to: &request.metadata)
    source.apply(to: &request.input)
    return request
  }
}
