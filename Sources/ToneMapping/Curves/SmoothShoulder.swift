import Glibc

/// A rendition y = w x (2 / (1 + x^k))^e of light x relative to reference white, which is mapped to w.
///
/// Its slope in log light, 1 - e k x^k / (1 + x^k), falls continuously from 1 in the shadows. e maps the content's peak
/// p to the rendition's peak h: e = log(w p / h) / log((1 + p^k) / 2). k increases as there is less to compress, so
/// that shadows and midtones stay closer to the original (decision 0032).
struct SmoothShoulder: StopsCurve {
  /// Gain of reference white in stops.
  private let gainOfWhite: Double
  private let exponent: Double
  private let sharpness: Double

  /// Limits the drop of the slope: below 0.15 within a third of a stop for content of 600 cd/m² or more.
  private static let bend = 2.1
  /// Headroom in stops of 600 cd/m². Content with less gets a sharper bend, because otherwise even slight compression
  /// would brighten all shadows.
  private static let fullHeadroom = log2(600 / ToneConditions.defaultReferenceWhite)

  /// - Parameters:
  ///   - baseline: Headroom of the content in stops, above 0.
  ///   - headroom: Headroom of the rendition in stops, below the content's.
  ///   - white: Output of reference white relative to SDR white.
  init(baseline: Double, headroom: Double, white: Double) {
    gainOfWhite = log2(white)
    let compression = gainOfWhite + baseline - headroom
    sharpness = Self.bend * baseline / (compression * min(baseline / Self.fullHeadroom, 1))
    exponent = compression / (Self.rise(sharpness * baseline) - 1)
  }

  func stops(_ x: Double) -> Double { gain(log2(x)) }

  /// Returns the light that maps to `output`, both relative to white.
  func input(for output: Double) -> Double {
    let target = log2(output)
    // Output is concave in log light: Newton's method converges from the shadows, where it is linear.
    var light = target - gainOfWhite - exponent
    for _ in 0..<12 {
      let slope = 1 - exponent * sharpness / (1 + exp2(-sharpness * light))
      light += (target - light - gain(light)) / slope
    }
    return exp2(light)
  }

  /// Returns the gain in stops of light given in stops from reference white.
  private func gain(_ light: Double) -> Double { gainOfWhite + exponent * (1 - Self.rise(sharpness * light)) }

  /// Computes log2(1 + 2^x), without overflow.
  private static func rise(_ x: Double) -> Double { max(x, 0) + log1p(exp2(-abs(x))) / M_LN2 }
}
