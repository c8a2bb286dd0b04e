public import ColorScience

/// The meaning of a stream's code values, in the terms of H.273.
public struct ColorDescription: Sendable, Hashable, Codable {
  /// Colour primaries; `.unspecified` if the stream does not state them.
  public var primaries: ColorPrimaries
  /// Transfer characteristics; `.unspecified` if the stream does not state them.
  public var transfer: TransferCharacteristics
  /// Matrix coefficients; `.unspecified` if the stream does not state them.
  public var matrix: MatrixCoefficients
  /// Narrow or full range of the code values.
  public var range: VideoRange
  /// Siting of subsampled chroma; otherwise irrelevant.
  public var chromaLocation: ChromaLocation

  /// Limited range and left-sited chroma unless specified, as in most video.
  public init(
    primaries: ColorPrimaries, transfer: TransferCharacteristics, matrix: MatrixCoefficients,
    range: VideoRange = .narrow, chromaLocation: ChromaLocation = .left
  ) {
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.range = range
    self.chromaLocation = chromaLocation
  }

  /// Standard dynamic range of BT.709 and BT.1886, limited range, left-sited chroma.
  public static let bt709 = ColorDescription(primaries: .bt709, transfer: .bt709, matrix: .bt709)
  /// BT.2100 PQ, limited range, top-left chroma (the siting of UHD services, BT.2100 table 9 note).
  public static let bt2100PQ = ColorDescription(
    primaries: .bt2020, transfer: .pq, matrix: .bt2020NCL, chromaLocation: .topLeft)
  /// BT.2100 HLG, limited range, top-left chroma.
  public static let bt2100HLG = ColorDescription(
    primaries: .bt2020, transfer: .hlg, matrix: .bt2020NCL, chromaLocation: .topLeft)
}
