internal import ColorScience

/// Finds the simplest hypothesis that explains the observations.
struct Diagnosis {
  let observations: [Observation]
  let rendition: Rendition

  /// A hypothesis and its remaining error.
  struct Finding {
    var hypothesis: Hypothesis
    /// Mean square of the differences, in codes.
    var error: Double
  }

  /// Upper bound of a squared difference in codes, so that one unexplained colour does not outweigh all others.
  private static let maximumSquare = 12.0 * 12
  /// Difference in codes that occurs in healthy streams.
  private static let defaultDifference = 1.0
  /// Maximum fraction of the error that may remain.
  private static let maximumLeft = 0.35
  /// Fraction of the mean square that each additional distortion and parameter must explain.
  private static let cost = 0.15
  /// Number of distortion pairs and initial guesses that are refined.
  private static let bases = 8
  private static let guesses = 12
  /// Minimum fraction of failing observations that must be explained.
  private static let minimumExplained = 0.7

  /// The hypothesis that explains the failures; nil if nothing fails, or nothing explains it.
  func explanation() -> Finding? {
    let none = Hypothesis()
    let off = observations.filter { difference($0, none) > Self.defaultDifference }
    guard !off.isEmpty else { return nil }
    let start = finding(none)
    let best = search().filter { isConvincing($0, start, off) }.min { worth($0) < worth($1) }
    let depth = BitDepthCheck(observations: observations, rendition: rendition)
    // Truncation resembles a gain or offset, but leaves less error.
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
    let distortions = Distortions(rendition: rendition)
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

  /// A family of distortions on top of a base, with its initial guess.
  private struct Guess {
    var base: Hypothesis
    var family: Distortions.Family
    var finding: Finding
  }

  /// A base with the best distortion of a family, by golden-section search.
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
    return abs(number - family.neutral) >= family.minimum ? best : nil
  }

  private func finding(_ hypothesis: Hypothesis) -> Finding {
    Finding(hypothesis: hypothesis, error: error(hypothesis))
  }

  /// Mean square of the differences, as stored or, if the input was dithered, before rounding.
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

  /// Difference in codes from the prediction of a hypothesis.
  private func difference(_ observation: Observation, _ hypothesis: Hypothesis) -> Double {
    let predicted = hypothesis.components(observation.expected, rendition)
    return min(square(predicted.exact, observation), square(predicted.stored, observation)).squareRoot()
  }

  /// Enough different colours fail, and most of them as predicted.
  /// - Parameter off: The failing observations.
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

/// A possible origin of the input: the expected signal, distorted.
struct Hypothesis: Sendable {
  /// In order of application, at most one of each stage.
  var distortions: [Distortion] = []
  /// Final rounding of codes to fewer bits.
  var rounding: CodeRounding?

  var faults: [Fault] { distortions.flatMap(\.faults) }
  var parameters: Int { distortions.reduce(0) { $0 + $1.parameters } }
  var clipPoint: Double? { distortions.compactMap(\.clipPoint).min() }
  var isTagOnly: Bool { distortions.contains(where: \.isTagOnly) }

  /// nil if it already has a distortion of that stage.
  func adding(_ distortion: Distortion) -> Hypothesis? {
    guard !distortions.contains(where: { $0.stage == distortion.stage }) else { return nil }
    var result = self
    result.distortions = (distortions + [distortion]).sorted { $0.stage.rawValue < $1.stage.rawValue }
    return result
  }

  /// The predicted signal in the input's encoding.
  func signal(_ expected: SIMD3<Double>, _ rendition: Rendition) -> SIMD3<Double> {
    var signal = distortions.first?.stage == .encoding ? expected : rendition.retagged(expected)
    for distortion in distortions { signal = distortion.apply(signal) }
    return signal
  }

  /// The predicted components: exact, as for a dithered input, and rounded to whole codes.
  func components(_ expected: SIMD3<Double>, _ rendition: Rendition) -> (exact: SIMD3<Double>, stored: SIMD3<Double>) {
    let reading = rendition.reading
    let signal = signal(expected, rendition)
    let exact = reading.limited(reading.components(signal))
    if let rounding {
      let rounded = reading.limited(rounding.apply(exact))
      return (rounded, rounded)
    }
    return (exact, reading.stored(signal))
  }
}

/// A possible distortion of R'G'B' signals.
struct Distortion: Sendable {
  /// Distortions are applied in order of stage.
  enum Stage: Int, Sendable {
    /// How light becomes a signal: transfer function and primaries.
    case encoding
    case level
    case matrix
    case range
  }

  var stage: Stage
  var faults: [Fault]
  /// Number of fitted parameters.
  var parameters = 0
  /// Only the tags are wrong: a single colour proves it, because its codes are as expected.
  var isTagOnly = false
  /// Luminance in cd/m² above which everything is clipped.
  var clipPoint: Double?
  /// Signal to signal in the input's encoding; of stage `encoding`, from the signal of the expected kind.
  var apply: @Sendable (SIMD3<Double>) -> SIMD3<Double>
}

/// A colour of the pattern and its measurement.
struct Observation: Sendable {
  /// R'G'B' of the expected kind, neither rounded nor limited.
  var expected: SIMD3<Double>
  /// Components of the input in code values.
  var measured: SIMD3<Double>
  /// A patch has weight 1, all points of a ramp together the weight of a few patches.
  var weight: Double
}

/// Code values that were rounded to fewer bits: only every nth code remains.
struct CodeRounding: Sendable {
  enum Method: Sendable, CaseIterable {
    /// The low bits of codes are truncated.
    case cut
    /// Codes are rounded to the nearest.
    case rounded
    /// Signals are rounded to the nearest before coding.
    case coded
  }

  /// Distance between remaining codes.
  var step: Double
  var method: Method

  func apply(_ components: SIMD3<Double>) -> SIMD3<Double> {
    let whole = (components + 0.5).rounded(.down)
    return switch method {
    case .cut: (whole / step).rounded(.down) * step
    case .rounded: (whole / step + 0.5).rounded(.down) * step
    case .coded: (components / step + 0.5).rounded(.down) * step
    }
  }
}
