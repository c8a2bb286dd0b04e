import Glibc

/// The camera curve of BT.709, BT.601 and BT.2020, continued through the origin for negative light.
///
/// This is a camera curve, not a display curve: see `BT1886` for that.
/// Source: ITU-R BT.709-6, item 1.2; BT.2020-2, table 4.
public enum BT709Transfer {
  /// Alpha and beta let the pieces meet with equal value and slope: 4.5 beta = alpha beta^0.45 - alpha + 1 and
  /// 4.5 = 0.45 alpha beta^-0.55. The standards print them rounded, as 1.099 and 0.018.
  public static let alpha = 1.09929682680944
  /// Scene light at which the straight piece ends.
  public static let beta = 0.018053968510807

  /// Scene light to signal.
  /// - Parameter scene: Scene-linear component, nominally 0...1.
  public static func oetf(_ scene: Double) -> Double {
    oddSymmetric(scene) { $0 < beta ? 4.5 * $0 : alpha * pow($0, 0.45) - (alpha - 1) }
  }

  /// Signal to scene light.
  /// - Parameter signal: Non-linear signal, nominally 0...1.
  public static func inverseOETF(_ signal: Double) -> Double {
    oddSymmetric(signal) { $0 < 4.5 * beta ? $0 / 4.5 : pow(($0 + (alpha - 1)) / alpha, 1 / 0.45) }
  }
}
