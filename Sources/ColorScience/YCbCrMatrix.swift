/// Luma weights, and the conversion between R'G'B' and Y'CbCr that follows from them.
///
/// Source: ITU-T H.273 (07/2021), table 4 and clause 8.3.
public struct YCbCrMatrix: Sendable, Hashable {
  /// Weight of R' in Y'.
  public let kr: Double
  /// Weight of B' in Y'.
  public let kb: Double
  /// Weight of G' in Y'.
  public var kg: Double { 1 - kr - kb }

  /// Weights of R' and B'; the rest is the weight of G'.
  public init(kr: Double, kb: Double) {
    self.kr = kr
    self.kb = kb
  }

  /// ITU-R BT.601-7.
  public static let bt601 = YCbCrMatrix(kr: 0.299, kb: 0.114)
  /// ITU-R BT.709-6.
  public static let bt709 = YCbCrMatrix(kr: 0.2126, kb: 0.0722)
  /// ITU-R BT.2020-2 and BT.2100-2, non-constant luminance: the weights rounded to four digits as printed.
  public static let bt2020 = YCbCrMatrix(kr: 0.2627, kb: 0.0593)

  /// The luminance of primaries and white. Source: ITU-T H.273 (07/2021), 8.3, equations for MatrixCoefficients 12.
  public init(_ primaries: RGBSpace) { self.init(kr: primaries.luminance.x, kb: primaries.luminance.z) }

  /// The weights of a code point; nil if it is not a Y'CbCr matrix with constant weights.
  /// - Parameters:
  ///   - coefficients: The code point of H.273.
  ///   - primaries: Primaries from which the weights of code point 12 are derived.
  public init?(_ coefficients: MatrixCoefficients, primaries: RGBSpace? = nil) {
    switch coefficients {
    case .bt709: self = .bt709
    case .fcc: self.init(kr: 0.30, kb: 0.11)
    case .bt470BG, .smpte170M: self = .bt601
    case .smpte240M: self.init(kr: 0.212, kb: 0.087)
    case .bt2020NCL: self = .bt2020
    case .chromaticityDerivedNCL:
      guard let primaries else { return nil }
      self.init(primaries)
    case .rgb, .unspecified, .ycgco, .bt2020CL, .smpteST2085, .chromaticityDerivedCL, .ictcp:
      return nil
    }
  }

  /// R'G'B' to Y'CbCr.
  /// - Parameter rgb: Non-linear R', G', B', nominally 0...1.
  /// - Returns: Y' nominally 0...1; Cb and Cr nominally -0.5...0.5.
  public func ycbcr(fromRGB rgb: SIMD3<Double>) -> SIMD3<Double> {
    let y = kr * rgb.x + kg * rgb.y + kb * rgb.z
    return SIMD3(y, (rgb.z - y) / (2 * (1 - kb)), (rgb.x - y) / (2 * (1 - kr)))
  }

  /// Y'CbCr to R'G'B'.
  /// - Parameter ycbcr: Y' nominally 0...1; Cb and Cr nominally -0.5...0.5.
  /// - Returns: Non-linear R', G', B', nominally 0...1.
  public func rgb(fromYCbCr ycbcr: SIMD3<Double>) -> SIMD3<Double> {
    let red = ycbcr.x + 2 * (1 - kr) * ycbcr.z
    let blue = ycbcr.x + 2 * (1 - kb) * ycbcr.y
    return SIMD3(red, (ycbcr.x - kr * red - kb * blue) / kg, blue)
  }
}
