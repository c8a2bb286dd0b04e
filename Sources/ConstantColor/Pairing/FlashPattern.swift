internal import Glibc

/// The pattern of a frame: steps in the logarithm of light between neighbouring cells, determined by the surfaces in
/// the scene, whatever the light.
struct FlashPattern {
  private let steps: [Double]

  init(_ frame: FrameSummary) {
    let sums = frame.sums.map { Double(max($0, 0)) }
    // Avoids the logarithm of black cells.
    let floor = sums.reduce(0, +) / Double(sums.count) * 0.02 + .leastNormalMagnitude
    let logarithms = sums.map { log($0 + floor) }
    let columns = FrameSummary.columns
    steps = logarithms.indices.flatMap { cell in
      var steps: [Double] = []
      if cell % columns + 1 < columns { steps.append(logarithms[cell + 1] - logarithms[cell]) }
      if cell + columns < logarithms.count { steps.append(logarithms[cell + columns] - logarithms[cell]) }
      return steps
    }
  }

  /// Returns the correlation of two patterns, from -1 to 1; 1 if neither has a pattern.
  func likeness(to other: FlashPattern) -> Double {
    func product(_ first: FlashPattern, _ second: FlashPattern) -> Double {
      zip(first.steps, second.steps).reduce(0) { $0 + $1.0 * $1.1 }
    }
    let (own, others) = (product(self, self), product(other, other))
    // Steps below one per cent are an even wall.
    let even = 1e-4 * Double(steps.count)
    if own < even && others < even { return 1 }
    return product(self, other) / max((own * others).squareRoot(), .leastNormalMagnitude)
  }
}
