import Glibc

/// A rendition y = w x (2 / (1 + x^k))^e of light x relative to reference white, which becomes w.
///
/// Its slope in log light, 1 - e k x^k / (1 + x^k), falls from 1 in the shadows without a step. e takes the content's peak p to
/// the rendition's, h: e = log(w p / h) / log((1 + p^k) / 2). k grows as there is less to compress, so that shadows and midtones stay
/// closer to what they were. Decision 0032 derives both.
struct SmoothShoulder: StopsCurve {
  /// Gain of reference white in stops.
  private let white: Double
  private let exponent: Double
  private let sharpness: Double

  /// Bounds how fast the slope falls, below 0.15 in a third of a stop for content of 600 cd/m² or more.
  private static let bend = 2.1
  /// Headroom in stops from which content is compressed with this bend. Below it, shadows would be brightened as much by the
  /// slightest compression.
  private static let fullHeadroom = log2(600.0 / 203)

  /// - Parameters:
  ///   - baseline: Headroom of the content in stops, above 0.
  ///   - headroom: Headroom of the rendition in stops, below the content's.
  ///   - white: Output of reference white relative to SDR white.
  init(baseline: Double, headroom: Double, white: Double) {
    self.white = log2(white)
    let compression = self.white + baseline - headroom
    sharpness = Self.bend * baseline / (compression * min(baseline / Self.fullHeadroom, 1))
    exponent = compression / (Self.rise(sharpness * baseline) - 1)
  }

  func stops(_ x: Double) -> Double { white + exponent * (1 - Self.rise(sharpness * log2(x))) }

  /// Light that becomes `output`, both relative to white.
  func input(for output: Double) -> Double {
    let target = log2(output)
    // Output is concave in log light: Newton's method approaches from the shadows, where it is a straight line.
    var stops = target - white - exponent
    for _ in 0..<12 {
      let slope = 1 - exponent * sharpness / (1 + exp2(-sharpness * stops))
      stops += (target - stops - self.stops(exp2(stops))) / slope
    }
    return exp2(stops)
  }

  /// log2(1 + 2^x), without overflow.
  private static func rise(_ x: Double) -> Double { max(x, 0) + log1p(exp2(-abs(x))) / M_LN2 }
}
