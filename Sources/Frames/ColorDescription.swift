public import ColorScience

/// What the code values of a stream mean, by the terms of H.273.
public struct ColorDescription: Sendable, Hashable, Codable {
  /// Colour primaries; `.unspecified` where the stream does not say.
  public var primaries: ColorPrimaries
  /// Transfer characteristics; `.unspecified` where the stream does not say.
  public var transfer: TransferCharacteristics
  /// Matrix coefficients; `.unspecified` where the stream does not say.
  public var matrix: MatrixCoefficients
  /// Narrow or full range of the code values.
  public var range: VideoRange
  /// Siting of subsampled chroma; without meaning where chroma is not subsampled.
  public var chromaLocation: ChromaLocation

  /// Narrow range and chroma at the left unless stated, as most video has them.
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

  /// Standard dynamic range as BT.709 and BT.1886 have it, narrow range, left-sited chroma.
  public static let bt709 = ColorDescription(primaries: .bt709, transfer: .bt709, matrix: .bt709)
  /// BT.2100 PQ, narrow range, top-left chroma (the siting of UHD services, BT.2100 table 9 note).
  public static let bt2100PQ = ColorDescription(
    primaries: .bt2020, transfer: .pq, matrix: .bt2020NCL, chromaLocation: .topLeft)
  /// BT.2100 HLG, narrow range, top-left chroma.
  public static let bt2100HLG = ColorDescription(
    primaries: .bt2020, transfer: .hlg, matrix: .bt2020NCL, chromaLocation: .topLeft)
}
