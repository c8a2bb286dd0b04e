/// A gain in stops as a function of light.
package protocol StopsCurve: Sendable {
  /// Returns the gain in stops.
  /// - Parameter x: Light relative to reference white, above 0.
  func stops(_ x: Double) -> Double
}

/// The gain for a display, interpolated between renditions for specific headrooms.
///
/// The unchanged content is the rendition at its baseline headroom, with no gain. Between two renditions, the gain in
/// stops is interpolated; beyond the lowest and highest, the nearest rendition's gain is used.
/// Source: SMPTE ST 2094-50 (draft of 2026-02-23), 6.2.5.
package struct HeadroomAdaptiveGain: Sendable {
  package struct Rendition: Sendable {
    /// Headroom in stops.
    package let headroom: Double
    /// nil: no gain.
    package let curve: (any StopsCurve)?

    package init(headroom: Double, curve: (any StopsCurve)?) {
      self.headroom = headroom
      self.curve = curve
    }
  }

  private struct WeightedCurve: Sendable {
    let curve: any StopsCurve
    let weight: Double
  }

  private let curves: [WeightedCurve]

  /// - Parameters:
  ///   - baseline: Headroom of the content in stops.
  ///   - renditions: Renditions at other headrooms than the baseline's.
  ///   - target: Headroom of the display in stops.
  package init(baseline: Double, renditions: [Rendition], target: Double) {
    let all = (renditions + [Rendition(headroom: baseline, curve: nil)]).sorted { $0.headroom < $1.headroom }
    let upper = all.first { target < $0.headroom } ?? all[all.count - 1]
    let lower = all.last { $0.headroom <= target } ?? upper
    let span = upper.headroom - lower.headroom
    let weight = span > 0 ? (upper.headroom - target) / span : 1
    curves = [(lower, weight), (upper, 1 - weight)].compactMap { rendition, weight in
      weight > 0 ? rendition.curve.map { WeightedCurve(curve: $0, weight: weight) } : nil
    }
  }

  /// Returns the gain in stops.
  /// - Parameter x: Light relative to reference white, above 0.
  package func stops(_ x: Double) -> Double { curves.reduce(0) { $0 + $1.weight * $1.curve.stops(x) } }
}
