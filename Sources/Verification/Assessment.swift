internal import ColorScience
internal import Frames
internal import Patterns

/// Turns what was measured into results and faults.
struct Assessment {
  let measurement: PatternMeasurement
  /// nil: there is no place for tags.
  let tags: ColorDescription?
  let expectedMetadata: ExpectedMetadata
  let tolerance: Tolerance
  /// Means are compared with the signal before it was rounded: it was dithered.
  let isDithered: Bool
  var reading: SignalReading { measurement.rendition.reading }

  init(
    _ measurement: PatternMeasurement, tags: ColorDescription?, _ expectedMetadata: ExpectedMetadata,
    _ tolerance: Tolerance
  ) {
    self.measurement = measurement
    self.tags = tags
    self.expectedMetadata = expectedMetadata
    self.tolerance = tolerance
    let reading = measurement.rendition.reading
    var (exact, stored) = (0.0, 0.0)
    for patch in measurement.patches where patch.tally.frames > 0 {
      let measured = reading.signal(samples: patch.tally.mean)
      exact += min(abs(measured - patch.expected).sum(), 0.01)
      stored += min(abs(measured - patch.stored).sum(), 0.01)
    }
    isDithered = exact < stored
  }

  /// Fills in results, faults and notes.
  func fill(_ verification: inout Verification) {
    verification.placement = measurement.placement
    verification.measuredFrames = measurement.frames
    verification.patches = measurement.patches.map(result)
    verification.ramps = measurement.ramps.map { rampResult($0.ramp, $0.tally) }
    verification.details = measurement.details
    verification.frames = measurement.frameTally?.result
    verification.gamut = gamut(verification.patches)
    verification.black = black(verification.patches)
    let colors = ColorFaults(self, verification)
    verification.clipPoint = colors.clipPoint
    var faults = colors.faults
    verification.notes += colors.notes
    faults += rampFaults(verification.ramps, colors)
    faults += DetailFaults(measurement, areColorsWrong: !colors.faults.isEmpty).faults
    faults += frameFaults(verification)
    faults += PlacementFaults(measurement.placement).faults
    let brightest = verification.patches.compactMap { $0.measured?.nits.max() }.max()
    let metadata = MetadataCheck(
      measurement.rendition.expectation, expectedMetadata, verification.input.metadata, brightest: brightest)
    faults += metadata.faults
    verification.notes += metadata.notes
    if let tags {
      let check = TagCheck(
        tags, measurement.rendition, explained: faults.map(\.name), passes: verification.patches.allSatisfy(\.passes))
      faults += check.faults
      verification.notes += check.notes
    }
    verification.faults = faults
    verification.notes += notes(verification)
  }

  private func result(_ patch: PatternMeasurement.Patch) -> PatchResult {
    let expected = isDithered ? patch.expected : patch.stored
    var result = PatchResult(
      patch: patch.patch, area: patch.tally.frames > 0 ? patch.area : nil, expected: expected,
      expectedCodes: reading.codes(expected), expectedNits: reading.nits(expected), measured: nil, passes: true)
    guard patch.tally.frames > 0 else { return result }
    let signal = reading.signal(samples: patch.tally.mean)
    let nits = reading.nits(signal)
    let deltaE = ICtCp.deltaEITP(
      reading.ictcp(nits: nits), isDithered ? patch.expectedColor : patch.storedColor)
    result.measured = PatchResult.Measured(
      signal: signal, codes: reading.codes(signal), nits: nits, deltaE: deltaE,
      worstDeltaE: max(patch.tally.worstDeltaE, deltaE), noise: patch.tally.deviation)
    result.passes = deltaE <= tolerance.deltaE && !isCut(patch.expected, signal)
    return result
  }

  /// Light below black is none, and above white may be cut: there codes say what is wrong and ΔE does not.
  private func isCut(_ expected: SIMD3<Double>, _ measured: SIMD3<Double>) -> Bool {
    guard reading.linearUnit == nil else { return false }
    let least = max(4 * reading.unit, 1.5) / reading.scale.lumaScale
    let possible = reading.signal(components: reading.limited(reading.components(expected)))
    return (0..<3).contains {
      (expected[$0] < 0 || expected[$0] > 1) && abs(possible[$0] - measured[$0]) > least
    }
  }

  private func gamut(_ patches: [PatchResult]) -> GamutResult? {
    let pairs = patches.compactMap { patch in patch.measured.map { (patch.expectedNits, $0.nits) } }
    return GamutCoverage.result(expected: pairs.map(\.0), measured: pairs.map(\.1), in: reading.space)
  }

  private func black(_ patches: [PatchResult]) -> Double? {
    patches.compactMap { patch -> Double? in
      guard let measured = patch.measured, patch.expectedNits.max() < 1e-4, abs(patch.expected).max() < 1e-3 else {
        return nil
      }
      return (reading.space.luminance * measured.nits).sum()
    }.min()
  }

  private func notes(_ verification: Verification) -> [String] {
    var notes: [String] = []
    let before = verification.input.frames - measurement.frames - measurement.absentCount - measurement.otherFormat
    if before > 0 { notes.append("The first \(before) frames do not show the pattern.") }
    if measurement.otherFormat > 0 {
      notes.append("\(measurement.otherFormat) frames have another size or format and were not measured.")
    }
    let missing = verification.patches.filter { $0.measured == nil }.count
    if missing > 0 { notes.append("\(missing) patches are cut off or too small to be measured.") }
    if measurement.details.contains(where: { $0.area == nil }) {
      notes.append(
        "Chroma position and fine detail are measured only where a pixel of the pattern is a pixel of the picture.")
    }
    return notes
  }
}

private func abs(_ value: SIMD3<Double>) -> SIMD3<Double> { pointwiseMax(value, -value) }
