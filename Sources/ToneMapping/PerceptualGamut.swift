package import ColorScience
internal import Rendering

/// The map of `GamutMapping.Method.perceptual`: on lines of constant hue towards grey, and of highlights towards white.
///
/// Three weighted sums of BT.2020 light, `cones`, are equal for greys. With their square roots v, (x, y) =
/// (v0 / v1 - 1, v2 / v1 - 1) is a plane with grey at its origin, in which a ray is a hue. Moving a colour along its
/// ray to t times its distance makes the cones c1 ((1 + t x)², 1, (1 + t y)²): c1 is the lightness, and stays. Decision
/// 0020 compares the hue and the lightness with those of ICtCp, JzAzBz and Oklab.
///
/// A component of a gamut, with row m of the matrix from cones, is c1 (1 + 2 t q + t² r) with q = m0 x + m2 y and
/// r = m0 x² + m2 y². It is 0 at t = 1 / (√(q² - r) - q), so the largest such denominator of the three is the distance of
/// the colour in units of the distance of the gamut's boundary.
package struct PerceptualGamut: Sendable, Hashable {
  /// Weights of BT.2020 light in the cone responses, fitted in decision 0020. Rows sum to 1.
  package static let cones = Matrix3(SIMD3(0.567, 0.372, 0.061), SIMD3(0.309, 0.568, 0.123), SIMD3(0.042, 0, 0.958))
  /// Distances up to this fraction of the boundary's are unchanged.
  static let kneeStart = 0.985
  /// Fraction of the knee that is spread evenly up to the source's boundary, so that no colours become equal.
  static let kneeTail = 0.5
  /// Largest component, as a fraction of the headroom, up to which it is unchanged.
  static let peakStart = 0.97

  private let matrix: Matrix3
  private let headroom: Double
  private let highlights: HighlightDesaturation
  private let toCones: Matrix3
  private let toSource: Matrix3
  private let toTarget: Matrix3

  init(source: RGBSpace, target: RGBSpace, headroom: Double, highlights: HighlightDesaturation) {
    matrix = RGBSpace.conversion(from: source, to: target)
    self.headroom = headroom
    self.highlights = highlights
    toCones = Self.cones * RGBSpace.conversion(from: source, to: .bt2020)
    toSource = toCones.inverse
    toTarget = matrix * toSource
  }

  /// Maps one colour.
  func map(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    let cones = toCones * rgb
    let lightness = max(cones.y, .leastNormalMagnitude)
    let x = (max(cones.x, 0) / lightness).squareRoot() - 1
    let y = (max(cones.z, 0) / lightness).squareRoot() - 1
    let distance = Self.distance(x, y, toTarget)
    let limit = distance / max(Self.distance(x, y, toSource), .leastNormalMagnitude)
    let factor = distance > Self.kneeStart ? Knee(limit: limit).value(distance) / distance : 1

    let brightest = rgb.max()
    let desaturation = highlights.amount(at: brightest / headroom)
    var result = matrix * rgb
    if factor < 1 || desaturation > 0 {
      let t = factor * (1 - desaturation)
      result = toTarget * (lightness * SIMD3((1 + t * x) * (1 + t * x), 1, (1 + t * y) * (1 + t * y)))
    }
    result = pointwiseMax(result, SIMD3(repeating: 0))
    let largest = result.max()
    guard largest > 0 else { return result }
    let lifted = largest + desaturation * (brightest - largest)
    let reached = GamutMapping.rollOff(
      lifted / headroom, start: Self.peakStart, ceiling: 1, limit: lifted / min(brightest, headroom))
    return result * (reached * headroom / largest)
  }

  /// The distance of (x, y) from grey, in units of that of a gamut's boundary on the same ray.
  private static func distance(_ x: Double, _ y: Double, _ gamut: Matrix3) -> Double {
    func reciprocal(_ row: SIMD3<Double>) -> Double {
      let (q, r) = (row.x * x + row.z * y, row.x * x * x + row.z * y * y)
      return q * q < r ? 0 : (q * q - r).squareRoot() - q
    }
    let (first, second, third) = gamut.rows
    return max(reciprocal(first), reciprocal(second), reciprocal(third))
  }

  /// Identity up to `kneeStart`, continued with slope 1 by the sum of a straight line, which has `kneeTail` of the room, and
  /// a hyperbola, which has the rest of it. They arrive together at the boundary.
  private struct Knee {
    /// Slope of the straight line.
    let tail: Double
    /// Bend of the hyperbola a / (1 + bend a).
    let bend: Double

    /// - Parameter limit: The distance that is taken to 1: that of the source's boundary.
    init(limit: Double) {
      let room = max(limit, 1) - kneeStart
      tail = kneeTail * (1 - kneeStart) / room
      bend = bendLimit * (1 - tail) - 1 / room
    }

    func value(_ distance: Double) -> Double {
      let above = max(distance - kneeStart, 0)
      return min(distance, kneeStart) + above * (tail + (1 - tail) / (1 + above * bend))
    }
  }

  /// The bend of a knee whose limit is infinite.
  private static var bendLimit: Double { 1 / ((1 - kneeStart) * (1 - kneeTail)) }
}

extension PerceptualGamut {
  /// The mapping in kernel form, with the boundaries tabulated over hue.
  var compiled: ColorTransform.Perceptual {
    let (source, target) = (Self.corners(toSource), Self.corners(toTarget))
    return ColorTransform.Perceptual(
      matrix: matrix, cones: toCones, target: toTarget, headroom: headroom,
      corners: [target[0], target[2], target[1]], sourceCorners: source,
      boundary: { point in
        let distance = Self.distance(point.x, point.y, toTarget)
        return (distance, Knee(limit: distance / Self.distance(point.x, point.y, toSource)).bend)
      },
      knee: ColorTransform.Perceptual.Knee(
        start: Self.kneeStart, tail: Self.kneeTail,
        tailPerBend: Self.kneeTail * (1 - Self.kneeTail) * (1 - Self.kneeStart)),
      saturated: saturated,
      peak: ColorTransform.Knee(start: Self.peakStart, span: 1 - Self.peakStart),
      highlights: (highlights.start, highlights.amount))
  }

  /// Points of the primaries of a gamut.
  private static func corners(_ gamut: Matrix3) -> [SIMD2<Double>] {
    let primaries = gamut.inverse.transposed.rows
    return [primaries.0, primaries.1, primaries.2].map { cones in
      let lightness = max(cones.y, .leastNormalMagnitude)
      return SIMD2((max(cones.x, 0) / lightness).squareRoot() - 1, (max(cones.z, 0) / lightness).squareRoot() - 1)
    }
  }

  /// Colours that the knee changes have a component below this many times their lightness.
  private var saturated: Double {
    let limits = (0..<4096).map { hue in
      let point = ColorTransform.Perceptual.direction(Double(hue) / 1024)
      let (x, y) = (point.x, point.y)
      let distance = Self.distance(x, y, toTarget)
      guard distance > Self.distance(x, y, toSource) else { return 0.0 }
      let t = Self.kneeStart / distance
      return (toTarget * SIMD3((1 + t * x) * (1 + t * x), 1, (1 + t * y) * (1 + t * y))).min()
    }
    // One hue stands for those around it.
    return (limits.max() ?? 0) * 1.01
  }
}

/// How strongly bright colours move towards white.
///
/// A tone curve of the largest component makes bright saturated areas flat: they end at the peak with nothing left to
/// show what was brighter. Moved towards white along lines of constant hue, what was brighter stays brighter.
public struct HighlightDesaturation: Sendable, Hashable {
  /// Fraction of the distance from grey that is removed at the headroom, 0...1.
  public let amount: Double
  /// Largest component, as a fraction of the headroom, from which colours are changed.
  public let start: Double

  /// Nothing is desaturated.
  public static let none = HighlightDesaturation(amount: 0, start: 1)

  /// - Parameters:
  ///   - amount: Fraction of the distance from grey that is removed at the headroom, 0...1.
  ///   - start: Largest component, as a fraction of the headroom, from which colours are changed, below 1 or without an effect.
  public init(amount: Double, start: Double) {
    self.amount = amount > 0 && start < 1 ? min(amount, 1) : 0
    self.start = min(max(start, 0), 1)
  }

  /// The fraction that is removed where the largest component is `brightness` of the headroom.
  func amount(at brightness: Double) -> Double {
    guard amount > 0, brightness > start else { return 0 }
    let share = (min(brightness, 1) - start) / (1 - start)
    return amount * share * share
  }
}
