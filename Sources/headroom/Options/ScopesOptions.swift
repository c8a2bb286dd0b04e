public import ArgumentParser
internal import Frames
internal import ImageFiles
internal import Scopes
internal import Sessions

extension VectorPlane: ExpressibleByArgument {}

/// The scopes to draw, and their output.
struct ScopesOptions: ParsableArguments {
  /// Scopes in the order of arrangement.
  struct Kinds: ExpressibleByArgument {
    var values: [ScopeKind]

    init(_ values: [ScopeKind]) { self.values = values }

    init?(argument: String) {
      let names = argument.split(separator: ",", omittingEmptySubsequences: false)
      values = names.compactMap { ScopeKind(rawValue: String($0)) }
      guard values.count == names.count, Set(values).count == values.count else { return nil }
    }

    var defaultValueDescription: String { values.map(\.rawValue).joined(separator: ",") }
  }

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "Output: video by the container's suffix, or pictures (png, tiff, avif, jxl), numbered as in 'out/%06d.png' or one.",
      valueName: "file"))
  var output: String?

  @OptionGroup var coding: Options<CodingOptions>

  @Option(
    help: ArgumentHelp(
      "Scopes, separated by commas: \(ScopeKind.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "list"))
  var scopes = Kinds([.waveform, .parade, .vectorscope, .histogram])

  @Option(help: "Axes of the vectorscope: Ct and Cp of ICtCp, or Cb and Cr of Y'CbCr, both with PQ (ictcp).")
  var vectorscope: VectorPlane?

  @Option(help: ArgumentHelp("Count every nth row only, which is faster.", valueName: "n"))
  var rows: Int = 1

  @Option(help: "Size of the picture in points.")
  var size: Size = Size(width: 1280, height: 720)

  @Option(help: ArgumentHelp("Pixels per point, 1 to 8: the same picture, sharper.", valueName: "n"))
  var pointScale: Int = 1

  @Option(
    help: ArgumentHelp(
      "Luminance of SDR white in cd/m², marked in the scopes; SDR content has it at 1.0.", valueName: "nits"))
  var sdrWhite: Double = 100

  @Option(help: ArgumentHelp("Luminance of HDR reference white in cd/m², marked in the scopes.", valueName: "nits"))
  var referenceWhite: Double = 203

  @Option(
    help: ArgumentHelp(
      "Peak of a display in cd/m², marked in the scopes with its headroom (the content's).", valueName: "nits"))
  var peak: Double?

  @Option(
    help: ArgumentHelp(
      "File for the counts, - is standard output: a line of JSON per frame, with the bins of each scope.",
      valueName: "file"))
  var data: String?

  @Option(
    help: ArgumentHelp("Draw only the frame at this time: seconds or [HH:]MM:SS[.m].", valueName: "time"))
  var at: Timestamp?

  @Flag(inversion: .prefixedNo, help: "Apply the input's rotation to the pictures.")
  var bakeRotation = true

  @Flag(help: "Replace existing files.")
  var overwrite = false

  @OptionGroup var selection: Options<SelectionOptions>
  @OptionGroup var processing: Options<ProcessingOptions>
  @OptionGroup var plans: PlanOptions
  @OptionGroup var messages: MessageOptions

  func request(input: InputRequest) -> ScopesRequest {
    var request = ScopesRequest(input: input.name, output: output)
    (request.input, request.coding, request.kinds, request.plane) = (input, coding.request, scopes.values, vectorscope)
    (request.rowStep, request.size, request.scale) = (rows, size, pointScale)
    (request.sdrWhite, request.referenceWhite, request.peak) = (sdrWhite, referenceWhite, peak)
    (request.data, request.bakesRotation, request.overwrites) = (data, bakeRotation, overwrite)
    (request.selection, request.processing) = (selection.request, processing.request)
    request.selection.at = at?.seconds
    return request
  }

  func validate() throws {
    try validated { try request(input: InputRequest("")).validate() }
  }
}
