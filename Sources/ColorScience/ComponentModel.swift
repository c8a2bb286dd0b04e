/// The three components of a picture, and how R'G'B' or light is derived from them.
///
/// Source: ITU-T H.273 (07/2021), table 4 and clause 8.3.
public enum ComponentModel: Sendable, Hashable {
  /// R', G' and B'.
  case rgb
  /// Y'CbCr with weights of R', G' and B'.
  case ycbcr(YCbCrMatrix)
  /// Another linear form of R', G' and B': this matrix converts components to R'G'B'.
  case linear(Matrix3, hasLumaScale: Bool)
  /// Y'cC'bcC'rc, whose luma is derived from linear luminance: MatrixCoefficients 10 and 13.
  case constantLuminance(ConstantLuminance)
  /// I, Ct and Cp of BT.2100: this matrix converts them to non-linear cone responses.
  case ictcp(Matrix3)

  /// The model of a code point.
  /// - Parameters:
  ///   - coefficients: The code point of H.273.
  ///   - primaries: nil: unknown.
  ///   - transfer: Needed for models that involve linear light.
  /// - Returns: nil where the coefficients are not stated, or depend on parameters that are not stated.
  public init?(_ coefficients: MatrixCoefficients, primaries: RGBSpace?, transfer: TransferCharacteristics) {
    if let matrix = YCbCrMatrix(coefficients, primaries: primaries) {
      self = .ycbcr(matrix)
      return
    }
    switch (coefficients, CodingCurve(transfer)) {
    case (.rgb, _): self = .rgb
    case (.ycgco, _): self = .linear(Self.ycgco, hasLumaScale: true)
    case (.smpteST2085, _): self = .linear(Self.ydzdx, hasLumaScale: false)
    case (.bt2020CL, .camera): self = .constantLuminance(.bt2020)
    case (.bt2020CL, let curve?): self = .constantLuminance(ConstantLuminance(weights: .bt2020, curve: curve))
    case (.chromaticityDerivedCL, let curve?):
      guard let primaries else { return nil }
      self = .constantLuminance(ConstantLuminance(weights: YCbCrMatrix(primaries), curve: curve))
    case (.ictcp, .pq): self = .ictcp(ICtCp.opponentsPQ.inverse)
    case (.ictcp, .hlg): self = .ictcp(ICtCp.opponentsHLG.inverse)
    default: return nil
    }
  }

  /// R' = Y - Cg + Co, G' = Y + Cg, B' = Y - Cg - Co. Source: ITU-T H.273 (07/2021), 8.3, MatrixCoefficients 8.
  private static let ycgco = Matrix3(SIMD3(1, -1, 1), SIMD3(1, 1, 0), SIMD3(1, -1, -1))

  /// Y'D'zD'x of R', G', B' that stand for X, Y, Z: D'z = (0.986566 B' - Y') / 2, D'x = (R' - 0.991902 Y') / 2.
  /// Source: ITU-T H.273 (07/2021), 8.3, MatrixCoefficients 11.
  private static let ydzdx = Matrix3(
    SIMD3(0.991902, 0, 2), SIMD3(1, 0, 0), SIMD3(1 / 0.986566, 2 / 0.986566, 0))

  /// The second and third component use the scale of luma in limited range: 219, not 224, of eight bits.
  ///
  /// YCgCo is computed from the codes of R', G' and B'. Source: ITU-T H.273 (07/2021), 8.3.
  public var hasLumaScale: Bool {
    if case .linear(_, let hasLumaScale) = self { hasLumaScale } else { false }
  }
}
