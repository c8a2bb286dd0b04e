internal import Glibc
public import Rendering

/// The global tone curve of a picture for a display whose white is 1: light is unchanged up to `shoulder`; above, it
/// approaches 1 asymptotically.
///
/// Above the shoulder s, f(x) = 1 - (1 - s) · exp(-(x - s) / (1 - s)), which meets the identity with the same slope.
/// The curve is applied to the largest component of a colour; the others keep their proportion to it, which preserves
/// hue.
public struct GlobalToneCurve: Stage {
  /// Light up to which the curve is the identity.
  public static let shoulder = 0.8

  private static let transform = ColorTransform(
    tone: .maximumGain(GainTable.overHalves { light(of: $0) / $0 }), gamut: .keep)

  /// Creates the curve.
  public init() {}

  public var mapping: ColorTransform? { Self.transform }

  /// Returns the displayed light for scene light.
  /// - Parameter light: Relative to white, at least 0.
  public static func light(of light: Double) -> Double {
    let room = 1 - shoulder
    return light <= shoulder ? light : 1 - room * exp(-(light - shoulder) / room)
  }

  public func reference(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let largest = rgb.max()
    return largest <= 0 ? rgb : rgb * (Self.light(of: largest) / largest)
  }

  @unsafe
  public func process(_ band: LinearBand, tier: KernelTier, worker: Int) {
    unsafe Self.transform.process(band, tier: tier)
  }
}
