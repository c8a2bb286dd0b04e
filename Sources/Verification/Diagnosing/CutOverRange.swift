internal import ColorScience

/// Whether signals above white and below black are cut off, where other faults hide it.
struct CutOverRange {
  private(set) var isWhiteCut = false
  private(set) var isBlackCut = false
  private let reading: SignalReading

  /// Signals must be so far beyond nominal black or white to tell.
  private static let leastExcess = 0.01
  /// So much of what is beyond must lie at the limit.
  private static let leastShare = 0.5

  init(_ observations: [Observation], _ rendition: Rendition) {
    reading = rendition.reading
    guard reading.linearUnit == nil else { return }
    let pairs = observations.map {
      (rendition.retagged($0.expected), reading.signal(components: $0.measured), $0.weight)
    }
    isWhiteCut = isCut(pairs.filter { $0.0.max() > 1 + Self.leastExcess }.map { ($0.1.max() - 1, $0.2) })
    isBlackCut = isCut(pairs.filter { $0.0.max() < -Self.leastExcess }.map { ($0.1.max(), $0.2) })
  }

  /// - Parameter distances: From the limit, each with a weight.
  private func isCut(_ distances: [(Double, Double)]) -> Bool {
    let all = distances.reduce(0) { $0 + $1.1 }
    let near = distances.filter { abs($0.0) <= limit }.reduce(0) { $0 + $1.1 }
    return near >= 1 && near >= Self.leastShare * all
  }

  /// Codes of a signal that is at a limit differ from it by so much at most.
  private var limit: Double { 2.5 * reading.unit / reading.scale.lumaScale }

  /// A patch is off because it is cut, and for no other reason.
  func explains(expected: SIMD3<Double>, measured: SIMD3<Double>) -> Bool {
    (0..<3).allSatisfy { component in
      var value = expected[component]
      if isWhiteCut { value = min(value, 1) }
      if isBlackCut { value = max(value, 0) }
      return abs(measured[component] - value) <= limit
    }
  }
}
