public import ColorScience
public import Compositing
public import Frames
internal import ImageFiles
package import Media
public import Rendering
internal import ToneMapping

/// An input, and how to read it.
public struct InputRequest: DefaultedRequest, Hashable, Codable {
  /// A file, a numbered file pattern, a V4L2 device, a URL with an allowed protocol, or "-" for Y4M on standard input.
  public var name: String
  /// FFmpeg's name of the format; nil: detected from the content.
  public var format: String?
  /// FFmpeg protocols allowed for the input and anything it references; files are always allowed.
  public var protocols: [String] = []
  /// Overrides of the input's tags.
  public var overrides = SourceOverrides()
  /// Warnings about assumed or dropped properties become errors.
  public var isStrict = false
  /// Maximum number of damaged frames and packets; nil: unlimited.
  public var maxErrors: Int?
  /// Reads a truncated input as far as possible; otherwise its end is an error.
  public var acceptsTruncation = false
  /// Headroom at which the gain map of an Ultra HDR image is applied; nil: the maximum.
  public var gainMapHeadroom: Double?
  /// Background of pictures with alpha; nil: alpha is ignored.
  public var background: Background? = .black
  /// Frame rate of pictures; nil: 25.
  public var frameRate: Rational?
  /// Number of the first file of a sequence; nil: the lowest existing.
  public var startNumber: Int?
  /// Settings of a capture device.
  public var capture = CaptureRequest()

  public static let defaults = InputRequest("")

  /// An input read to its end, without overrides.
  public init(_ name: String) { self.name = name }

  /// Limits on errors.
  package var limits: ReadLimits {
    var limits = ReadLimits(maxErrors: maxErrors, acceptsTruncation: acceptsTruncation)
    limits.protocols = protocols
    return limits
  }

  /// Settings for reading picture files.
  var pictures: StillSettings {
    StillSettings(
      gainMapHeadroom: gainMapHeadroom,
      compositing: Compositing(
        background: background,
        tags: ColorTags(primaries: overrides.primaries, transfer: overrides.transfer, range: overrides.range)),
      frameRate: frameRate?.reduced, startNumber: startNumber)
  }

  /// - Throws: `Refusal` for values out of range.
  public func validate() throws(Refusal) {
    try InputOptions.check(self)
    try overrides.validate()
    try capture.validate()
  }
}

/// Properties of the input that the user states, which take precedence over tags.
public struct SourceOverrides: Sendable, Hashable, Codable {
  /// Transfer characteristics of H.273; nil: as tagged.
  public var transfer: TransferCharacteristics?
  /// Colour primaries of H.273; nil: as tagged.
  public var primaries: ColorPrimaries?
  /// Matrix coefficients of H.273; nil: as tagged.
  public var matrix: MatrixCoefficients?
  /// Range of the code values; nil: as tagged.
  public var range: VideoRange?
  /// Siting of subsampled chroma; nil: as tagged.
  public var chromaLocation: ChromaLocation?
  /// MaxCLL of PQ content in cd/m².
  public var contentPeak: UInt16?
  /// Description of the light; nil: from the tags and the metadata.
  public var descriptor: ContentInterpretation.StatedDescriptor?

  /// No overrides.
  public init() {}

  /// - Throws: `Refusal` for values out of range.
  func validate() throws(Refusal) {
    // Metadata below 80 is rejected as implausible, too.
    if let contentPeak, !(80...10_000).contains(contentPeak) {
      throw .invalid(.outOfRange(.contentPeak, "\(contentPeak)", "80", "10000 cd/m²"))
    }
  }

  /// Returns the tags with the overrides applied.
  package func applied(to color: ColorDescription) -> ColorDescription {
    var color = color
    color.transfer = transfer ?? color.transfer
    color.primaries = primaries ?? color.primaries
    color.matrix = matrix ?? color.matrix
    color.range = range ?? color.range
    color.chromaLocation = chromaLocation ?? color.chromaLocation
    return color
  }
}

extension Rational {
  /// The fraction in lowest terms, which some containers require.
  var reduced: Rational {
    var (a, b) = (numerator, denominator)
    while b != 0 { (a, b) = (b, a % b) }
    return a > 0 ? Rational(numerator / a, denominator / a) : self
  }

  /// - Throws: `Refusal` for values that are not a frame rate.
  func checkFrameRate(_ parameter: Parameter) throws(Refusal) {
    let terms = 1...1_000_000
    guard terms.contains(numerator), terms.contains(denominator), (0.001...1000).contains(value) else {
      throw .invalid(.outOfRange(parameter, description, "0.001", "1000"))
    }
  }
}
