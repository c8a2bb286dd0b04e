internal import ColorScience

/// Detects whether signals above white and below black are clipped, even if other faults hide it.
struct ClippedOverRange {
  private(set) var isWhiteClipped = false
  private(set) var isBlackClipped = false
  private let reading: SignalReading

  /// Minimum distance beyond nominal black or white of conclusive signals.
  private static let minimumExcess = 0.01
  /// Minimum fraction of the over-range that lies at the limit.
  private static let minimumShare = 0.5

  init(_ observations: [Observation], _ rendition: Rendition) {
    reading = rendition.reading
    guard reading.linearUnit == nil else { return }
    let pairs = observations.map {
      (rendition.retagged($0.expected), reading.signal(components: $0.measured), $0.weight)
    }
    isWhiteClipped = isClipped(pairs.filter { $0.0.max() > 1 + Self.minimumExcess }.map { ($0.1.max() - 1, $0.2) })
    isBlackClipped = isClipped(pairs.filter { $0.0.max() < -Self.minimumExcess }.map { ($0.1.max(), $0.2) })
  }

  /// - Parameter distances: From the limit, each with a weight.
  private func isClipped(_ distances: [(Double, Double)]) -> Bool {
    let all = distances.reduce(0) { $0 + $1.1 }
    let near = distances.filter { abs($0.0) <= limit }.reduce(0) { $0 + $1.1 }
    return near >= 1 && near >= Self.minimumShare * all
  }

  /// Maximum difference in codes of a clipped signal from the limit.
  private var limit: Double { 2.5 * reading.unit / reading.scale.lumaScale }

  /// The clipping that explains a failing patch; nil if it is not clipped, or fails for other reasons too.
  func explanation(expected: SIMD3<Double>, measured: SIMD3<Double>) -> String? {
    let one = SIMD3(repeating: 1.0)
    let isAbove = isWhiteClipped && expected.max() > 1, isBelow = isBlackClipped && expected.min() < 0
    guard isAbove || isBelow else { return nil }
    let value = pointwiseMax(
      pointwiseMin(expected, isAbove ? one : expected), isBelow ? .zero : expected)
    let difference = measured - value
    guard max(difference.max(), -difference.min()) <= limit else { return nil }
    return [(isAbove, Distortions.superWhite), (isBelow, Distortions.superBlack)].filter(\.0).map(\.1.name)
      .joined(separator: ", ")
  }
}
