internal import ArgumentParser
internal import Frames
internal import Patterns
internal import Sessions

/// The expected pattern, its tolerance, and the report.
struct VerifyOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Expected pattern: NAME or NAME=k=v:k=v.", valueName: "name"))
  var pattern: String

  @Option(
    name: .customLong("made-as"),
    help: "Kind of signal that the pattern was made as (from the input's tags; with --expect the pattern's first).")
  var kind: PatternSignal.Kind?

  @Option(
    help: ArgumentHelp(
      "Original size of the pattern in points, if it has been scaled (the input's).", valueName: "WxH"))
  var size: Size?

  @Option(help: ArgumentHelp("Pixels per point of the original pattern, 1 to 8.", valueName: "n"))
  var pointScale: Int = 1

  @Option(help: ArgumentHelp("Maximum error of a patch, in ΔE ITP (2; with --expect 2.5).", valueName: "x"))
  var tolerance: Double?

  @Option(
    help: ArgumentHelp(
      "Intended processing of the pattern: tone-mapped:CURVE, with to=, headroom=, peak=, sdr-white=, "
        + "reference-white=, gamut=, highlight-desaturation=, hlg-ootf= as for transcode, such as tone-mapped:system:headroom=1; or "
        + "reference, for --display reference.",
      valueName: "rendition"))
  var expect: String?

  @Option(
    help: ArgumentHelp("Folder for a report: a single self-contained page, index.html.", valueName: "folder"))
  var page: String?

  @Flag(help: "Print the result as JSON on standard output.")
  var json = false

  @Flag(help: "Replace an existing report.")
  var overwrite = false

  @OptionGroup var selection: Options<SelectionOptions>
  @OptionGroup var processing: Options<ProcessingOptions>
  @OptionGroup var messages: MessageOptions

  func request(_ input: InputRequest) throws -> VerifyRequest {
    var request = VerifyRequest(input: input.name, pattern: pattern)
    (request.input, request.kind, request.size, request.scale) = (input, kind, size, pointScale)
    (request.tolerance, request.selection) = (tolerance, selection.request)
    request.processing = processing.request
    request.rendition = try expect.map { try RenditionRequest(argument: $0) }
    return request
  }

  func validate() throws { try validated { try request(InputRequest("")).validate() } }
}
