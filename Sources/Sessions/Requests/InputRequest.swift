public import ColorScience
public import Compositing
public import Frames
internal import ImageFiles
package import Media
public import ToneMapping

/// Which input is read, and how.
public struct InputRequest: DefaultedRequest, Hashable, Codable {
  /// A file, a pattern of numbered files, a V4L2 device, a URL whose protocol is allowed, or "-" for Y4M on standard input.
  public var name: String
  /// FFmpeg's name of the format; nil: detected from the content.
  public var format: String?
  /// FFmpeg protocols that are allowed for the input and anything it references; files always are.
  public var protocols: [String] = []
  /// Overrides of the input's tags.
  public var overrides = SourceOverrides()
  /// Warnings about assumed or dropped properties become errors.
  public var isStrict = false
  /// Number of damaged frames and packets that are accepted; nil: any number.
  public var maxErrors: Int?
  /// A truncated input is read as far as possible; otherwise its end is an error.
  public var acceptsTruncation = false
  /// Headroom that the gain map of an Ultra HDR image is applied for; nil: the maximum.
  public var gainMapHeadroom: Double?
  /// Background of pictures with alpha; nil: alpha is ignored.
  public var background: Background? = .black
  /// Frame rate of pictures; nil: 25.
  public var frameRate: Rational?
  /// Number of the first file of a sequence; nil: the lowest that exists.
  public var startNumber: Int?
  /// How a capture device is set up.
  public var capture = CaptureRequest()

  public static let defaults = InputRequest("")

  /// An input without overrides, read to its end.
  public init(_ name: String) { self.name = name }

  /// Errors that are accepted.
  package var limits: ReadLimits {
    var limits = ReadLimits(maxErrors: maxErrors, acceptsTruncation: acceptsTruncation)
    limits.protocols = protocols
    return limits
  }

  /// How picture files are read.
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

/// What the user states about the input; it takes precedence over tags.
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
  /// What the light is; nil: what the tags and the metadata say.
  public var descriptor: ContentInterpretation.StatedDescriptor?

  /// Everything as tagged.
  public init() {}

  /// - Throws: `Refusal` for values out of range.
  func validate() throws(Refusal) {
    // Metadata below 80 is not believed either.
    if let contentPeak, !(80...10_000).contains(contentPeak) {
      throw .invalid(.outOfRange(.contentPeak, "\(contentPeak)", "80", "10000 cd/m²"))
    }
  }

  /// The tags with the overrides applied.
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
  /// In lowest terms, which some containers require.
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
