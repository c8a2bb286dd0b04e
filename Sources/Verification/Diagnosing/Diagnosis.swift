internal import ColorScience

/// Finds the simplest hypothesis that explains what was observed.
struct Diagnosis {
  private let rendition: Rendition
  private let observations: [Observation]

  /// What nothing explains, and what is left when something does.
  struct Finding {
    var hypothesis: Hypothesis
    /// Mean square of the differences, in codes.
    var error: Double
  }

  /// The square of a difference counts up to this, in codes: a colour that is not explained must not outweigh all others.
  private static let maximumSquare = 12.0 * 12
  /// A difference of this many codes is seen in healthy streams.
  private static let defaultDifference = 1.0
  /// What is left of the error must not be more than this part of it.
  private static let maximumLeft = 0.35
  /// What each further distortion and number must explain of the mean square of the differences.
  private static let cost = 0.15
  /// So many pairs of distortions, and first guesses of numbers, are looked at closer.
  private static let bases = 8
  private static let guesses = 12
  /// So much of what is off must be explained.
  private static let minimumExplained = 0.7

  init(_ observations: [Observation], _ rendition: Rendition) {
    self.observations = observations
    self.rendition = rendition
  }

  /// The hypothesis that explains what is off; nil where nothing is off, or nothing explains it.
  func explanation() -> Finding? {
    let none = Hypothesis()
    let off = observations.filter { difference($0, none) > Self.defaultDifference }
    guard !off.isEmpty else { return nil }
    let start = finding(none)
    let best = search().filter { isConvincing($0, start, off) }.min { worth($0) < worth($1) }
    let depth = BitDepthCheck(observations, rendition)
    // Cutting bits off is much like a gain or an offset, but leaves less.
    if let rounding = depth.rounding(after: none) {
      let rounded = finding(Hypothesis(rounding: rounding))
      if rounded.error <= (best?.error ?? .infinity) { return rounded }
    }
    guard var best else { return nil }
    if let rounding = depth.rounding(after: best.hypothesis) {
      best.hypothesis.rounding = rounding
      best = finding(best.hypothesis)
    }
    return best
  }

  private func worth(_ finding: Finding) -> Double {
    let size = Double(finding.hypothesis.faults.count + finding.hypothesis.parameters)
    return finding.error * (1 + Self.cost * size) + Self.cost * size
  }

  /// One distortion, two, and fitted ones on top of the best.
  private func search() -> [Finding] {
    let distortions = Distortions(rendition)
    let fixed = distortions.fixed
    let none = Hypothesis()
    let single = fixed.compactMap { none.adding($0) }.map(finding)
    let double = fixed.indices.flatMap { first in
      fixed[first...].dropFirst().compactMap { second in
        none.adding(fixed[first])?.adding(second).map(finding)
      }
    }
    let best = double.sorted { worth($0) < worth($1) }.prefix(Self.bases)
    let guesses = ([finding(none)] + single + best).flatMap { base in
      distortions.families(observations, base.hypothesis).compactMap { family -> Guess? in
        guard let first = base.hypothesis.adding(family.distortion(family.guess)).map(finding) else { return nil }
        return first.error < base.error ? Guess(base: base.hypothesis, family: family, finding: first) : nil
      }
    }
    let fitted = guesses.sorted { worth($0.finding) < worth($1.finding) }.prefix(Self.guesses).compactMap(fit)
    return single + double + fitted
  }

  /// A family of distortions on top of a base, and its first guess.
  private struct Guess {
    var base: Hypothesis
    var family: Distortions.Family
    var finding: Finding
  }

  /// A base with the best of a family of distortions: found by the golden section.
  private func fit(_ start: Guess) -> Finding? {
    let (family, base, guess) = (start.family, start.base, start.finding)
    func at(_ value: Double) -> Finding? { base.adding(family.distortion(value)).map(finding) }
    let ratio = 0.618
    var (low, high) = (family.guess - family.span, family.guess + family.span)
    var (left, right) = (high - ratio * (high - low), low + ratio * (high - low))
    guard var first = at(left)?.error, var second = at(right)?.error else { return nil }
    for _ in 0..<10 {
      if first < second {
        (high, right, second) = (right, left, first)
        left = high - ratio * (high - low)
        first = at(left)?.error ?? first
      } else {
        (low, left, first) = (left, right, second)
        right = low + ratio * (high - low)
        second = at(right)?.error ?? second
      }
    }
    let value = (low + high) / 2
    guard let found = at(value) else { return nil }
    let (best, number) = found.error < guess.error ? (found, value) : (guess, family.guess)
    return abs(number - family.neutral) >= family.least ? best : nil
  }

  private func finding(_ hypothesis: Hypothesis) -> Finding {
    Finding(hypothesis: hypothesis, error: error(hypothesis))
  }

  /// Mean square of the differences, as stored or, where the input was dithered, as it is before.
  private func error(_ hypothesis: Hypothesis) -> Double {
    var (exact, stored, weight) = (0.0, 0.0, 0.0)
    for observation in observations {
      let predicted = hypothesis.components(observation.expected, rendition)
      exact += observation.weight * min(square(predicted.exact, observation), Self.maximumSquare)
      stored += observation.weight * min(square(predicted.stored, observation), Self.maximumSquare)
      weight += observation.weight
    }
    return min(exact, stored) / weight
  }

  /// Square of a difference in codes.
  private func square(_ predicted: SIMD3<Double>, _ observation: Observation) -> Double {
    let difference = (predicted - observation.measured) / rendition.reading.unit
    return (difference * difference).sum()
  }

  /// Difference in codes from what a hypothesis predicts.
  private func difference(_ observation: Observation, _ hypothesis: Hypothesis) -> Double {
    let predicted = hypothesis.components(observation.expected, rendition)
    return min(square(predicted.exact, observation), square(predicted.stored, observation)).squareRoot()
  }

  /// Enough different colours are off, and most of them as the hypothesis says.
  /// - Parameter off: The observations that are off.
  private func isConvincing(_ finding: Finding, _ none: Finding, _ off: [Observation]) -> Bool {
    guard finding.error <= Self.maximumLeft * none.error else { return false }
    var colours: Set<SIMD3<Double>> = []
    var (explained, affected) = (0.0, 0.0)
    for observation in off {
      let before = difference(observation, none.hypothesis)
      affected += observation.weight
      guard difference(observation, finding.hypothesis) <= max(1.5, 0.2 * before) else { continue }
      explained += observation.weight
      colours.insert((observation.expected * 50).rounded(.toNearestOrEven))
    }
    let needed = finding.hypothesis.isTagOnly ? 1 : 2 + finding.hypothesis.parameters
    return colours.count >= needed && explained >= Self.minimumExplained * affected
  }
}
