internal import Frames
import Glibc

extension GainCurve {
  /// Creates a curve from ST 2094-50 metadata.
  /// - Parameter sign: 1 for a rendition with more headroom than the content, -1 for one with less.
  /// Source: SMPTE ST 2094-50 (draft of 2026-02-23), C.3.7.
  init(_ coded: AdaptiveToneMap.Curve, sign: Double) {
    let xs = coded.points.map { Double(min($0.x, 64_000)) / 1000 }
    let ys = coded.points.map { sign * AdaptiveToneMap.stops($0.y) }
    let computed = Self.slopes(xs, ys)
    self.init(
      points: coded.points.indices.map { index in
        let slope = coded.points[index].theta.map {
          tan((Double(min(max($0, 1), 35_999)) - 18_000) * .pi / 36_000)
        }
        return Point(x: xs[index], y: ys[index], slope: slope ?? computed[index])
      })
  }

  /// Computes slopes by the method of Fritsch and Butland, which avoids overshoot.
  ///
  /// Two points with equal x have slope 0 between them. Source: C.3.9.
  package static func slopes(_ x: [Double], _ y: [Double]) -> [Double] {
    guard x.count > 1 else { return [0] }
    let h = zip(x.dropFirst(), x).map { $0 - $1 }
    let s = zip(zip(y.dropFirst(), y).map { $0 - $1 }, h).map { $1 > 0 ? $0 / $1 : 0 }
    guard x.count > 2 else { return [s[0], s[0]] }
    func end(_ near: Int, _ far: Int) -> Double {
      let sum = h[near] + h[far]
      return sum > 0 ? ((2 * h[near] + h[far]) * s[near] - h[near] * s[far]) / sum : 0
    }
    let inner = (1..<x.count - 1).map { i -> Double in
      guard s[i - 1] * s[i] > 0 else { return 0 }
      return 3 * (h[i - 1] + h[i]) * s[i - 1] * s[i]
        / ((2 * h[i - 1] + h[i]) * s[i - 1] + (h[i - 1] + 2 * h[i]) * s[i])
    }
    return [end(0, 1)] + inner + [end(h.count - 1, h.count - 2)]
  }
}
