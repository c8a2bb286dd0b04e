internal import ColorScience
internal import Patterns

/// What is wrong with colours, by patches and ramps together.
struct ColorFaults {
  private(set) var faults: [Fault] = []
  private(set) var notes: [String] = []
  /// Luminance in cd/m² above which everything is cut.
  private(set) var clipPoint: Double?
  /// What is wrong with colours is known, and what ramps show of it need not be said.
  private(set) var explains = false

  /// Points of a ramp that count, and what they weigh together.
  private static let rampPoints = 48
  private static let mostRampPoints = 480
  private static let rampWeight = 6.0
  /// Patches that are off may be unexplained to this part.
  private static let mostUnexplained = 0.15

  init(_ assessment: Assessment, _ verification: Verification) {
    let (rendition, reading) = (assessment.measurement.rendition, assessment.reading)
    let patches = Self.observations(assessment)
    let ramps = Self.rampObservations(assessment)
    let explanation = Diagnosis(patches + ramps, rendition).explanation()?.hypothesis
    let depth = BitDepthCheck(patches + ramps, rendition)
    if let explanation {
      faults += explanation.faults
      clipPoint = explanation.clipPoint
    }
    let step =
      explanation?.rounding?.step
      ?? depth.alignment(assessment.measurement.ramps.map { assessment.levels($0.ramp, $0.tally) })
    if let step {
      if let fault = depth.fault(step: step) { faults.append(fault) }
      if let note = depth.note(step: step) { notes.append(note) }
    }
    explains = !faults.isEmpty || step != nil
    let cut = CutOverRange(patches + ramps, rendition)
    if explanation == nil { addCut(cut, reading) }
    let failing = verification.patches.filter { !$0.passes }
    let unexplained = failing.filter { patch in
      guard let measured = patch.measured else { return true }
      guard let explanation else { return !cut.explains(expected: patch.expected, measured: measured.signal) }
      let predicted = explanation.components(rendition.expectation.map(patch.patch.signal), rendition).exact
      let left = reading.deltaE(reading.signal(components: predicted), measured.signal)
      // Codes of fewer bits are off by up to a step, which may be much in ΔE.
      let difference = predicted - reading.components(measured.signal)
      let isWithinStep = max(difference.max(), -difference.min()) <= explanation.rounding?.step ?? 0
      return left > max(assessment.tolerance.deltaE, 0.25 * measured.deltaE) && !isWithinStep
    }
    if !unexplained.isEmpty, Double(unexplained.count) > Self.mostUnexplained * Double(failing.count) {
      faults.append(Self.fault(unexplained, of: verification.patches.count, assessment.tolerance))
    }
  }

  /// Over-range that is cut is seen by itself, whatever else is wrong.
  private mutating func addCut(_ cut: CutOverRange, _ reading: SignalReading) {
    if cut.isWhiteCut {
      faults.append(Distortions.superWhite)
      clipPoint = reading.nits(SIMD3(repeating: 1)).max()
    }
    if cut.isBlackCut { faults.append(Distortions.superBlack) }
  }

  private static func fault(_ failing: [PatchResult], of count: Int, _ tolerance: Tolerance) -> Fault {
    let worst = failing.max { ($0.measured?.deltaE ?? 0) < ($1.measured?.deltaE ?? 0) }
    var sentence =
      "\(failing.count) of \(count) patches are off by more than ΔE ITP \(tolerance.deltaE), or are cut off"
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
      let count = min(places.count, rampPoints, max(mostRampPoints / assessment.measurement.ramps.count, 8))
      return (0..<count).map { index in
        let place = places[(2 * index + 1) * places.count / (2 * count)]
        return Observation(
          expected: place.drawn, measured: components(place.samples, reading), weight: rampWeight / Double(count))
      }
    }
  }

  /// Components of means of samples: of linear light, those that it would have.
  private static func components(_ samples: SIMD3<Double>, _ reading: SignalReading) -> SIMD3<Double> {
    reading.linearUnit == nil ? samples : reading.components(reading.signal(samples: samples))
  }
}
