public import ColorScience
public import Frames

/// The colour tags of a stream or frame; nil if untagged, or a value that H.273 does not define.
public struct ColorTags: Sendable, Hashable, Codable {
  /// ITU-T H.273 ColourPrimaries.
  public var primaries: ColorPrimaries?
  /// ITU-T H.273 TransferCharacteristics.
  public var transfer: TransferCharacteristics?
  /// ITU-T H.273 MatrixCoefficients.
  public var matrix: MatrixCoefficients?
  /// ITU-T H.273 VideoFullRangeFlag.
  public var range: VideoRange?
  /// Chroma420SampleLocType of ITU-T H.273.
  public var chromaLocation: ChromaLocation?

  /// Nothing is tagged unless specified.
  public init(
    primaries: ColorPrimaries? = nil, transfer: TransferCharacteristics? = nil, matrix: MatrixCoefficients? = nil,
    range: VideoRange? = nil, chromaLocation: ChromaLocation? = nil
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.range = range
    self.chromaLocation = chromaLocation
  }

  /// These tags with gaps filled from `other`: a frame's tags take precedence over its stream's.
  public func merged(over other: ColorTags) -> ColorTags {
    ColorTags(
      primaries: primaries ?? other.primaries, transfer: transfer ?? other.transfer,
      matrix: matrix ?? other.matrix, range: range ?? other.range,
      chromaLocation: chromaLocation ?? other.chromaLocation)
  }

  /// The tags as a full description. Missing tags become `unspecified`; the range becomes full for R'G'B' and otherwise
  /// narrow, and chroma left-sited, as H.264, HEVC and FFmpeg assume.
  public func description(for layout: PixelLayout) -> ColorDescription {
    let isRGB = layout.components == .rgb
    return ColorDescription(
      primaries: primaries ?? .unspecified, transfer: transfer ?? .unspecified,
      matrix: isRGB ? .rgb : matrix ?? .unspecified, range: range ?? (isRGB ? .full : .narrow),
      chromaLocation: chromaLocation ?? .left)
  }
}

extension ColorTags {
  /// From H.273 code points as stored in files; "unspecified" and undefined values become nil.
  package init(
    primaryCode: Int, transferCode: Int, matrixCode: Int = 2, range: VideoRange?, chromaLocation: ChromaLocation? = nil
  ) {
    func code<Code: RawRepresentable<UInt8> & Equatable>(_ value: Int, unless unspecified: Code) -> Code? {
      UInt8(exactly: value).flatMap(Code.init).flatMap { $0 == unspecified ? nil : $0 }
    }
    self.init(
      primaries: code(primaryCode, unless: ColorPrimaries.unspecified),
      transfer: code(transferCode, unless: TransferCharacteristics.unspecified),
      matrix: code(matrixCode, unless: MatrixCoefficients.unspecified), range: range, chromaLocation: chromaLocation)
  }
}
