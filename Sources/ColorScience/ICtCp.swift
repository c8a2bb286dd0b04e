/// Constant-intensity I, Ct, Cp of BT.2100, and the colour difference defined on it.
///
/// Source: ITU-R BT.2100-2, table 7.
public enum ICtCp {
  /// Linear BT.2020 to cone responses. Source: ITU-R BT.2100-2, table 7.
  package static let lms = Matrix3(
    SIMD3(1688, 2146, 262) / 4096, SIMD3(683, 2951, 462) / 4096, SIMD3(99, 309, 3688) / 4096)
  /// PQ-coded cone responses to I, Ct, Cp. Source: ITU-R BT.2100-2, table 7.
  package static let opponentsPQ = Matrix3(
    SIMD3(2048, 2048, 0) / 4096, SIMD3(6610, -13613, 7003) / 4096, SIMD3(17933, -17390, -543) / 4096)
  /// HLG-coded cone responses to I, Ct, Cp. Source: ITU-R BT.2100-2, table 7.
  package static let opponentsHLG = Matrix3(
    SIMD3(2048, 2048, 0) / 4096, SIMD3(3625, -7465, 3840) / 4096, SIMD3(9500, -9212, -288) / 4096)

  /// ICtCp of PQ from display light.
  /// - Parameter nits: Linear BT.2020 components in cd/m². Cone responses are limited to 0...10000.
  /// - Returns: I 0...1; Ct and Cp -0.5...0.5.
  public static func fromNits(_ nits: SIMD3<Double>) -> SIMD3<Double> {
    opponentsPQ * each(lms * nits, PQ.inverseEOTF)
  }

  /// Display light from ICtCp of PQ.
  /// - Parameter ictcp: I 0...1; Ct and Cp -0.5...0.5.
  /// - Returns: Linear BT.2020 components in cd/m².
  public static func toNits(_ ictcp: SIMD3<Double>) -> SIMD3<Double> {
    lms.inverse * each(opponentsPQ.inverse * ictcp, PQ.eotf)
  }

  /// ICtCp of HLG from scene light.
  /// - Parameter scene: Scene-linear BT.2020 components, nominally 0...1.
  /// - Returns: I 0...1; Ct and Cp -0.5...0.5, on the HLG scale.
  public static func fromHLGScene(_ scene: SIMD3<Double>) -> SIMD3<Double> {
    opponentsHLG * each(lms * scene, HLG.oetf)
  }

  /// Scene light from ICtCp of HLG.
  /// - Parameter ictcp: I 0...1; Ct and Cp -0.5...0.5, on the HLG scale.
  /// - Returns: Scene-linear BT.2020 components, nominally 0...1.
  public static func toHLGScene(_ ictcp: SIMD3<Double>) -> SIMD3<Double> {
    lms.inverse * each(opponentsHLG.inverse * ictcp, HLG.inverseOETF)
  }

  /// Colour difference in just noticeable differences, between colours on the PQ scale.
  ///
  /// The factor 720 makes 1 a just noticeable difference; halving Ct makes the space uniform.
  /// Both colours are I 0...1; Ct and Cp -0.5...0.5.
  /// Source: ITU-R BT.2124-0.
  public static func deltaEITP(_ first: SIMD3<Double>, _ second: SIMD3<Double>) -> Double {
    let difference = (first - second) * SIMD3(1, 0.5, 1)
    return 720 * (difference * difference).sum().squareRoot()
  }

  private static func each(_ v: SIMD3<Double>, _ curve: (Double) -> Double) -> SIMD3<Double> {
    SIMD3(curve(v.x), curve(v.y), curve(v.z))
  }
}
