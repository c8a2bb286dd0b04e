internal import ColorScience
internal import Patterns

/// Colour faults, from patches and ramps together.
///
/// Empty if every patch and ramp is within the tolerance: small known deviations are noted.
struct ColorFaults {
  private(set) var faults: [Fault] = []
  private(set) var notes: [String] = []
  /// Luminance in cd/m² above which everything is clipped.
  private(set) var clipPoint: Double?
  /// Why patches fail, by index: names of faults.
  private(set) var reasons: [Int: String] = [:]
  /// Names of the faults that explain the failures; nil if nothing does.
  private(set) var explanation: String?
  /// Acceptable rounding to fewer bits: step in codes and name.
  private(set) var acceptedRounding: (step: Double, name: String)?

  /// Number of ramp points used, and their total weight.
  private static let rampPoints = 48
  private static let maximumRampPoints = 480
  private static let rampWeight = 6.0
  /// Maximum unexplained fraction of failing patches, beside a fault that explains the others.
  private static let maximumUnexplained = 0.15

  init(_ assessment: Assessment, _ verification: Verification) {
    let (rendition, reading) = (assessment.measurement.rendition, assessment.reading)
    let observations = Self.observations(assessment) + Self.rampObservations(assessment)
    let hypothesis = Diagnosis(observations: observations, rendition: rendition).explanation()?.hypothesis
    // Patches with a known reason are correct on average.
    let failing = verification.patches.indices.filter {
      !verification.patches[$0].passes && verification.patches[$0].reason == nil
    }
    let isOff = !failing.isEmpty || verification.ramps.contains { $0.isMeasured && assessment.isOff($0) }
    if let hypothesis { add(hypothesis, isOff: isOff) }
    addDepth(hypothesis, BitDepthCheck(observations: observations, rendition: rendition), assessment, isOff: isOff)
    let cut = ClippedOverRange(observations, rendition)
    if hypothesis?.faults.isEmpty ?? true { addClipping(cut, reading) }
    if !faults.isEmpty { explanation = faults.map(\.name).joined(separator: ", ") }
    var unexplained: [Int] = []
    for index in failing {
      let patch = verification.patches[index]
      guard let measured = patch.measured else { continue }
      if let name = cut.explanation(expected: patch.expected, measured: measured.signal), !faults.isEmpty {
        reasons[index] = name
      } else if let hypothesis, let explanation, explains(hypothesis, patch, measured, assessment) {
        reasons[index] = explanation
      } else {
        unexplained.append(index)
      }
    }
    let share = Double(unexplained.count) / Double(max(failing.count, 1))
    let isMentioned = explanation == nil || share > Self.maximumUnexplained
    for index in unexplained { reasons[index] = isMentioned ? "patches" : explanation }
    if !unexplained.isEmpty, isMentioned {
      faults.append(
        Self.fault(unexplained.map { verification.patches[$0] }, of: verification.patches.count, assessment.tolerance))
    }
  }

  private mutating func add(_ hypothesis: Hypothesis, isOff: Bool) {
    clipPoint = hypothesis.clipPoint
    if isOff {
      faults += hypothesis.faults
    } else {
      notes += hypothesis.faults.map { "Within the tolerance (\($0.name)): \($0.explanation)" }
    }
  }

  /// Eight bits are always a fault, ten only if colours fail because of them.
  private mutating func addDepth(
    _ hypothesis: Hypothesis?, _ depth: BitDepthCheck, _ assessment: Assessment, isOff: Bool
  ) {
    let ramps = assessment.measurement.ramps.map { assessment.levels($0.ramp, $0.tally) }
    guard let step = hypothesis?.rounding?.step ?? depth.alignment(ramps), let fault = depth.fault(step: step) else {
      return
    }
    if !depth.isAccepted(step: step) || isOff && hypothesis?.rounding != nil && faults.isEmpty {
      faults.append(fault)
    } else {
      notes.append(fault.explanation)
      acceptedRounding = (step, fault.name)
    }
  }

  /// The remaining error of a patch under a hypothesis is within the tolerance, or a small fraction.
  private func explains(
    _ hypothesis: Hypothesis, _ patch: PatchResult, _ measured: PatchResult.Measured, _ assessment: Assessment
  ) -> Bool {
    let (rendition, reading) = (assessment.measurement.rendition, assessment.reading)
    let predicted = hypothesis.components(rendition.expectation.map(patch.patch.signal), rendition)
    let left = min(
      reading.deltaE(reading.signal(components: predicted.exact), measured.signal),
      reading.deltaE(reading.signal(components: predicted.stored), measured.signal))
    // Codes of fewer bits deviate by up to a step, which may be large in ΔE.
    let difference = predicted.exact - reading.components(measured.signal)
    let isWithinStep = max(difference.max(), -difference.min()) <= hypothesis.rounding?.step ?? 0
    return left <= max(assessment.tolerance.deltaE, 0.25 * measured.deltaE) || isWithinStep
  }

  /// Clipped over-range is detected separately, whatever else is wrong.
  private mutating func addClipping(_ cut: ClippedOverRange, _ reading: SignalReading) {
    if cut.isWhiteClipped {
      faults.append(Distortions.superWhite)
      clipPoint = reading.nits(SIMD3(repeating: 1)).max()
    }
    if cut.isBlackClipped { faults.append(Distortions.superBlack) }
  }

  private static func fault(_ failing: [PatchResult], of count: Int, _ tolerance: Tolerance) -> Fault {
    let worst = failing.max { ($0.measured?.deltaE ?? 0) < ($1.measured?.deltaE ?? 0) }
    var sentence =
      "\(failing.count) of \(count) patches are off by more than ΔE ITP \(tolerance.deltaE), or are clipped, and no "
      + "named fault explains it"
    if let worst, let measured = worst.measured {
      sentence += ": '\(worst.patch.name)' by ΔE ITP \((10 * measured.deltaE).rounded() / 10)"
    }
    return Fault("patches", sentence + ".")
  }

  private static func observations(_ assessment: Assessment) -> [Observation] {
    let rendition = assessment.measurement.rendition
    return assessment.measurement.patches.filter { $0.tally.frames > 0 }.map {
      Observation(
        expected: rendition.expectation.map($0.patch.signal),
        measured: components($0.tally.mean, rendition.reading), weight: 1)
    }
  }

  private static func rampObservations(_ assessment: Assessment) -> [Observation] {
    let reading = assessment.reading
    return assessment.measurement.ramps.flatMap { ramp, tally -> [Observation] in
      let places = assessment.places(ramp, tally)
      let count = min(places.count, rampPoints, max(maximumRampPoints / assessment.measurement.ramps.count, 8))
      return (0..<count).map { index in
        let place = places[(2 * index + 1) * places.count / (2 * count)]
        return Observation(
          expected: place.drawn, measured: components(place.samples, reading), weight: rampWeight / Double(count))
      }
    }
  }

  /// Components of mean samples; for linear light, the equivalent ones.
  private static func components(_ samples: SIMD3<Double>, _ reading: SignalReading) -> SIMD3<Double> {
    reading.linearUnit == nil ? samples : reading.components(reading.signal(samples: samples))
  }
}

/// Numbers in fault messages.
enum FaultFigure {
  /// One decimal, or none for large numbers.
  static func number(_ value: Double) -> String {
    let tenths = (10 * value).rounded() / 10
    guard abs(value) < 1e9 else { return "\(value)" }
    return abs(value) >= 100 || tenths == tenths.rounded() ? "\(Int(value.rounded()))" : "\(tenths)"
  }

  static func percent(_ part: Double) -> String { "\(number(100 * part)) %" }

  /// Three decimals.
  static func factor(_ value: Double) -> String { "\((1000 * value).rounded() / 1000)" }
}
