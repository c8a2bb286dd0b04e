/// Y'CbCr whose luma is the non-linear luminance, not a sum of non-linear components.
///
/// Y'c = (KR R + KG G + KB B)' with linear R, G, B. C'bc = (B' - Y'c) / (2 NB) up to 0 and / (2 PB) above; C'rc alike.
/// Source: ITU-R BT.2020-2, table 4; ITU-T H.273 (07/2021), 8.3, for MatrixCoefficients 10 and 13.
public struct ConstantLuminance: Sendable, Hashable {
  /// The change of Y'c per unit of a colour difference, up to 0 and above.
  public struct Reach: Sendable, Hashable {
    /// 2 NB: signal per unit of a difference that is not above 0.
    public let below: Double
    /// 2 PB: signal per unit of a difference above 0.
    public let above: Double
  }

  /// KR and KB.
  public let weights: YCbCrMatrix
  /// From linear light to the signal of luma and of B' and R'.
  public let curve: CodingCurve
  /// The reach of C'bc.
  public let blue: Reach
  /// The reach of C'rc.
  public let red: Reach

  /// NB = (1 - KB)', PB = 1 - (KB)', and the same for red, as H.273 computes them.
  public init(weights: YCbCrMatrix, curve: CodingCurve) {
    self.weights = weights
    self.curve = curve
    func reach(_ weight: Double) -> Reach {
      Reach(below: 2 * curve.signal(fromLight: 1 - weight), above: 2 * (1 - curve.signal(fromLight: weight)))
    }
    (blue, red) = (reach(weights.kb), reach(weights.kr))
  }

  private init(weights: YCbCrMatrix, curve: CodingCurve, blue: Reach, red: Reach) {
    (self.weights, self.curve, self.blue, self.red) = (weights, curve, blue, red)
  }

  /// BT.2020 with its transfer function: the constants as printed, which were computed with alpha 1.099 and are within
  /// 4e-4 of the results of `init`.
  public static let bt2020 = ConstantLuminance(
    weights: .bt2020, curve: .camera, blue: Reach(below: 1.9404, above: 1.5816),
    red: Reach(below: 1.7184, above: 0.9936))

  /// B' and R' of a signal.
  /// - Parameter ycbcr: Y'c nominally 0...1; C'bc and C'rc nominally -0.5...0.5.
  public func blueAndRed(fromYCbCr ycbcr: SIMD3<Double>) -> (blue: Double, red: Double) {
    (
      ycbcr.x + ycbcr.y * (ycbcr.y > 0 ? blue.above : blue.below),
      ycbcr.x + ycbcr.z * (ycbcr.z > 0 ? red.above : red.below)
    )
  }

  /// Decodes one pixel.
  /// - Parameters:
  ///   - ycbcr: Y'c nominally 0...1; C'bc and C'rc nominally -0.5...0.5.
  ///   - reach: The largest signal that is not clipped.
  /// - Returns: Non-linear R', G', B'.
  public func rgb(fromYCbCr ycbcr: SIMD3<Double>, reach: Double = 1) -> SIMD3<Double> {
    let (blue, red) = blueAndRed(fromYCbCr: ycbcr)
    func light(_ signal: Double) -> Double { curve.light(fromSignal: min(signal, reach)) }
    let luminance = light(ycbcr.x)
    let others = weights.kr * light(red) + weights.kb * light(blue)
    return SIMD3(red, curve.signal(fromLight: (luminance - others) / weights.kg), blue)
  }
}
