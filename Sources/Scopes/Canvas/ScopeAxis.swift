internal import ColorScience

/// Maps values to positions along a plot, in pixels.
struct ScopeAxis: Hashable {
  /// The value at the first position, and at the last.
  let first: Double
  let last: Double
  let start: Double
  let end: Double

  init(_ first: Double, _ last: Double, from start: Double, to end: Double) {
    self.first = first
    self.last = last
    self.start = start
    self.end = end
  }

  /// Returns an axis of PQ signals. Each level of `ScopeCounts` has the same length, so signal 0 is half a level after
  /// the start, and 1 half a level before the end.
  static func levels(from start: Double, to end: Double) -> ScopeAxis {
    let highest = Double(ScopeCounts.levels - 1)
    return ScopeAxis(-0.5 / highest, (highest + 0.5) / highest, from: start, to: end)
  }

  func place(_ value: Double) -> Double { start + (value - first) / (last - first) * (end - start) }

  /// Returns the position of a luminance in cd/m² on an axis of PQ signals.
  func place(nits: Double) -> Double { place(PQ.inverseEOTF(nits)) }
}
