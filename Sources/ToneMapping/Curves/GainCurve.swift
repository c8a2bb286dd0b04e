import Glibc

/// Gain in stops as a function of light relative to reference white: points with slopes, joined by cubic segments.
///
/// Source: SMPTE ST 2094-50 (draft of 2026-02-23), 6.5.3.
package struct GainCurve: StopsCurve {
  package struct Point: Sendable {
    /// Input relative to reference white.
    package let x: Double
    /// Gain in stops.
    package let y: Double
    /// Slope in stops per unit of input.
    package let slope: Double
  }

  /// At least one point, ordered by x; the last x is above 0.
  package let points: [Point]

  init(points: [Point]) { self.points = points }

  /// Returns the gain in stops. Below the first point it is constant; beyond the last one the output is constant.
  /// - Parameter x: Above 0.
  package func stops(_ x: Double) -> Double {
    guard x > points[0].x else { return points[0].y }
    guard let upper = points.firstIndex(where: { x < $0.x }) else {
      let last = points[points.count - 1]
      return last.y + log2(last.x / x)
    }
    let (p, q) = (points[upper - 1], points[upper])
    let width = q.x - p.x
    let (m0, m1) = (width * p.slope, width * q.slope)
    let c3 = 2 * p.y + m0 - 2 * q.y + m1
    let c2 = -3 * p.y + 3 * q.y - 2 * m0 - m1
    let t = (x - p.x) / width
    return ((c3 * t + c2) * t + m0) * t + p.y
  }
}
