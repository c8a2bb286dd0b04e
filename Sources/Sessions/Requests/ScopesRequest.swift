internal import FFmpegIO
public import Frames
public import Scopes

/// Scopes of an input as video or pictures.
public struct ScopesRequest: Sendable, Hashable, Codable {
  /// The input and how to read it.
  public var input: InputRequest
  /// Video by the suffix of a container, or pictures; "-": standard output; nil: nothing is written.
  public var output: String?
  /// The container and the encoder of a video.
  public var coding = CodingRequest()
  /// In reading order.
  public var kinds: [ScopeKind] = [.waveform, .parade, .vectorscope, .histogram]
  /// Components plotted by the vectorscope; nil: Ct and Cp.
  public var plane: VectorPlane?
  /// Counts every nth row.
  public var rowStep = 1
  /// Size of the picture in points.
  public var size = Size(width: 1280, height: 720)
  /// Pixels per point.
  public var scale = 1
  /// Luminance of SDR white in cd/m².
  public var sdrWhite = 100.0
  /// Luminance of HDR reference white in cd/m².
  public var referenceWhite = 203.0
  /// Peak of the display in cd/m²; nil: the content's.
  public var peak: Double?
  /// File for the counts, one line of JSON per frame; "-": standard output.
  public var data: String?
  /// Rotates pixels according to the input's metadata.
  public var bakesRotation = true
  /// The frames to count.
  public var selection = FrameSelection()
  /// Replaces existing files.
  public var overwrites = false
  /// Threads and kernels.
  public var processing = ProcessingRequest()

  /// Every frame of an input, with the default values.
  public init(input: String, output: String?) {
    self.input = InputRequest(input)
    self.output = output
  }

  /// The output in FFmpeg's form.
  var url: String { output ?? "-" }

  /// Checks the values and their combinations.
  /// - Throws: `Refusal` for values out of range and for options that are mutually exclusive.
  public func validate() throws(Refusal) {
    try input.validate()
    try coding.validate()
    try selection.validate()
    try processing.validate()
    guard (1...8).contains(scale) else { throw .invalid(.outOfRange(.pointScale, "\(scale)", "1", "8")) }
    if output == nil, ContainerTraits.of(coding.format).family != .nothing { throw .invalid(.noOutput) }
    let pixels = size.scaled(by: scale)
    guard pixels.width <= 16_384, pixels.height <= 16_384, pixels.width * pixels.height <= 1 << 26 else {
      throw .invalid(
        "scopes-too-large", "A picture of \(pixels) is too large: choose a smaller \(.size) or \(.pointScale).")
    }
    for (parameter, value) in [
      (Parameter.sdrWhite, sdrWhite), (.referenceWhite, referenceWhite), (.peak, peak ?? 1),
    ] where !(1...10_000).contains(value) {
      throw .invalid(.outOfRange(parameter, value, 1...10_000, unit: "cd/m²"))
    }
    if plane != nil, !kinds.contains(.vectorscope) {
      throw .invalid(
        "vectorscope-missing", "\(.vectorscope) needs a vectorscope: add one to \(.scopes), or omit it.")
    }
    guard (1...64).contains(rowStep) else { throw .invalid(.outOfRange(.rows, "\(rowStep)", "1", "64")) }
  }
}
