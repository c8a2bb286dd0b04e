internal import ColorScience

/// Detects whether codes were once rounded to fewer bits than they have.
struct BitDepthCheck {
  let observations: [Observation]
  let rendition: Rendition
  private var reading: SignalReading { rendition.reading }

  /// Fewer codes are inconclusive.
  private static let minimumCodes = 8
  /// Maximum fraction of the error that may remain unexplained.
  private static let maximumLeft = 0.4
  /// Minimum fraction of ramp codes that are multiples of the step.
  private static let minimumAligned = 0.98

  /// Possible earlier bit depths, and their steps in codes.
  private var depths: [(bits: Int, step: Int)] {
    guard reading.linearUnit == nil else { return [] }
    return [8, 10].filter { $0 < reading.scale.bitDepth }.map { ($0, 1 << (reading.scale.bitDepth - $0)) }
  }

  /// Codes were once rounded to fewer bits.
  func fault(step: Double) -> Fault? { bits(step).map { Fault("bit-depth.\($0)", sentence($0)) } }

  /// Ten bits are enough for HDR10 and HLG, and some formats store them in more. Eight are too few, and do not match
  /// the input's bit depth.
  func isAccepted(step: Double) -> Bool { bits(step) != 8 }

  private func bits(_ step: Double) -> Int? { depths.first { Double($0.step) == step }?.bits }

  private func sentence(_ bits: Int) -> String {
    "The samples have \(reading.scale.bitDepth) bits, but were once reduced to \(bits): only one code in "
      + "\(1 << (reading.scale.bitDepth - bits)) is used."
  }

  /// The rounding that explains the remaining error of a hypothesis.
  func rounding(after hypothesis: Hypothesis) -> CodeRounding? {
    for depth in depths {
      let telling = telling(Double(depth.step), hypothesis)
      guard telling.count >= Self.minimumCodes else { continue }
      let own = min(error(telling) { ($0 + 0.5).rounded(.down) }, error(telling) { $0 })
      let step = Double(depth.step)
      guard own > step * step / 40 else { continue }
      let roundings = CodeRounding.Method.allCases.map { CodeRounding(step: step, method: $0) }.map { rounding in
        (rounding, error(telling) { rounding.apply(SIMD3(repeating: $0)).x })
      }
      if let best = roundings.min(by: { $0.1 < $1.1 }), best.1 <= Self.maximumLeft * own { return best.0 }
    }
    return nil
  }

  /// Codes that the rounding would change: predicted and actual, each once.
  private func telling(_ step: Double, _ hypothesis: Hypothesis) -> [SIMD2<Double>] {
    var seen: Set<SIMD2<Double>> = []
    var result: [SIMD2<Double>] = []
    for observation in observations {
      let (exact, stored) = hypothesis.components(observation.expected, rendition)
      for component in 0..<3 where stored[component].truncatingRemainder(dividingBy: step) != 0 {
        let pair = SIMD2(exact[component], observation.measured[component])
        let place = SIMD2((4 * pair.x).rounded(.down), (4 * pair.y).rounded(.down))
        guard abs(pair.x - pair.y) < 2 * step, seen.insert(place).inserted else { continue }
        result.append(pair)
      }
    }
    return result
  }

  private func error(_ pairs: [SIMD2<Double>], _ rounded: (Double) -> Double) -> Double {
    pairs.reduce(0) { $0 + (rounded($1.x) - $1.y) * (rounded($1.x) - $1.y) } / Double(pairs.count)
  }

  /// The step of which nearly all ramp codes are multiples, although they should not be.
  /// - Parameter ramps: The histogram of each ramp's codes, and the expected codes.
  func alignment(_ ramps: [(seen: [Int: Int], expected: Set<Int>)]) -> Double? {
    depths.first { depth in
      var (aligned, all, codes) = (0, 0, 0)
      for ramp in ramps where 2 * ramp.expected.filter({ $0 % depth.step == 0 }).count < ramp.expected.count {
        codes += ramp.expected.count
        for (code, count) in ramp.seen {
          all += count
          if code % depth.step == 0 { aligned += count }
        }
      }
      return codes >= Self.minimumCodes && all > 0 && Double(aligned) >= Self.minimumAligned * Double(all)
    }.map { Double($0.step) }
  }
}

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
