internal import ColorScience

/// Whether signals above white and below black are clipped, where other faults hide it.
struct CutOverRange {
  private(set) var isWhiteCut = false
  private(set) var isBlackCut = false
  private let reading: SignalReading

  /// Signals must be so far beyond nominal black or white to tell.
  private static let minimumExcess = 0.01
  /// So much of what is beyond must lie at the limit.
  private static let minimumShare = 0.5

  init(_ observations: [Observation], _ rendition: Rendition) {
    reading = rendition.reading
    guard reading.linearUnit == nil else { return }
    let pairs = observations.map {
      (rendition.retagged($0.expected), reading.signal(components: $0.measured), $0.weight)
    }
    isWhiteCut = isCut(pairs.filter { $0.0.max() > 1 + Self.minimumExcess }.map { ($0.1.max() - 1, $0.2) })
    isBlackCut = isCut(pairs.filter { $0.0.max() < -Self.minimumExcess }.map { ($0.1.max(), $0.2) })
  }

  /// - Parameter distances: From the limit, each with a weight.
  private func isCut(_ distances: [(Double, Double)]) -> Bool {
    let all = distances.reduce(0) { $0 + $1.1 }
    let near = distances.filter { abs($0.0) <= limit }.reduce(0) { $0 + $1.1 }
    return near >= 1 && near >= Self.minimumShare * all
  }

  /// Codes of a signal that is at a limit differ from it by so much at most.
  private var limit: Double { 2.5 * reading.unit / reading.scale.lumaScale }

  /// What clips a patch, where it is off for no other reason; nil: it is not clipped, or off besides.
  func explanation(expected: SIMD3<Double>, measured: SIMD3<Double>) -> String? {
    let one = SIMD3(repeating: 1.0)
    let isAbove = isWhiteCut && expected.max() > 1, isBelow = isBlackCut && expected.min() < 0
    guard isAbove || isBelow else { return nil }
    let value = pointwiseMax(
      pointwiseMin(expected, isAbove ? one : expected), isBelow ? .zero : expected)
    let difference = measured - value
    guard max(difference.max(), -difference.min()) <= limit else { return nil }
    return [(isAbove, Distortions.superWhite), (isBelow, Distortions.superBlack)].filter(\.0).map(\.1.name)
      .joined(separator: ", ")
  }
}
