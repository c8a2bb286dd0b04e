internal import ColorScience
internal import Frames
internal import Patterns

/// Turns measurements into results and faults.
struct Assessment {
  let measurement: PatternMeasurement
  /// Tags of the input; nil: it cannot carry tags.
  let tags: ColorDescription?
  /// Bit depth of the input.
  let bitDepth: Int?
  let expectedMetadata: ExpectedMetadata
  let tolerance: Tolerance
  /// Means are compared with the unrounded signal, because it was dithered.
  let isDithered: Bool
  var reading: SignalReading { measurement.rendition.reading }

  init(
    _ measurement: PatternMeasurement, tags: ColorDescription?, bitDepth: Int?, _ expectedMetadata: ExpectedMetadata,
    _ tolerance: Tolerance
  ) {
    let layout = measurement.first.layout
    self.bitDepth = bitDepth ?? (layout.samples == .integer ? layout.bitDepth : nil)
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
    verification.frames?.torn = measurement.marks.torn.map(\.frame)
    verification.frames?.blended = measurement.marks.blended.map(\.frame)
    verification.gamut = gamut(verification.patches)
    verification.black = black(verification.patches)
    let colors = ColorFaults(self, verification)
    verification.clipPoint = colors.clipPoint
    var faults = colors.faults
    verification.notes += colors.notes
    for (index, reason) in colors.reasons { verification.patches[index].reason = reason }
    faults += overlayFaults(&verification)
    faults += rampFaults(&verification.ramps, colors)
    let details = DetailFaults(measurement, colors)
    faults += details.faults
    verification.details = details.results
    faults += frameFaults(&verification, colors)
    faults += PlacementFaults(measurement).faults
    if let fault = inputDepthFault(verification, faults) { faults.append(fault) }
    if faults.isEmpty, let fault = unmeasuredFault(verification) ?? pictureFault() { faults.append(fault) }
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
    let tally = patch.tally
    let deltaE = ICtCp.deltaEITP(
      reading.ictcp(nits: nits), isDithered ? patch.expectedColor : patch.storedColor)
    result.measured = PatchResult.Measured(
      signal: signal, codes: reading.codes(signal), nits: nits, deltaE: deltaE,
      worstDeltaE: max(tally.worstDeltaE, deltaE), noise: tally.deviation, rejected: tally.rejected)
    if deltaE > tolerance.deltaE || isClipped(patch.expected, signal) {
      result.passes = false
    } else if isCovered(tally) {
      (result.passes, result.reason) = (false, Self.overlay)
    } else if flickers(tally, deltaE) {
      (result.passes, result.reason) = (false, Self.flicker)
    }
    return result
  }

  /// Whether the signal is clipped. Light below black does not exist, and light above white may be clipped: there, code
  /// values show errors that ΔE does not.
  private func isClipped(_ expected: SIMD3<Double>, _ measured: SIMD3<Double>) -> Bool {
    guard reading.linearUnit == nil else { return false }
    // A ten-bit grey step is nearly 1 ΔE ITP in PQ.
    let codes = max(Self.minimumCut, 2 * tolerance.deltaE)
    let minimum = max(codes * reading.unit, 1.5) / reading.scale.lumaScale
    let possible = reading.signal(components: reading.limited(reading.components(expected)))
    return (0..<3).contains {
      let difference = abs(possible[$0] - measured[$0])
      if expected[$0] < 0 || expected[$0] > 1 { return difference > minimum }
      // Black or white beyond the limit: chroma errors alone push saturated colours there, and wrong tags any colour.
      guard !measurement.rendition.isRetagged else { return false }
      // PQ ends at 1; other curves continue, and ΔE shows the error.
      let isBeyondWhite = reading.curve == .pq && measured[$0] > 1
      return isBeyondWhite && difference > 1.5 * minimum || measured[$0] < 0 && difference > 3 * minimum
    }
  }

  /// In ten-bit codes.
  private static let minimumCut = 4.0

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
    if let bitDepth, bitDepth < 10, verification.pattern.minimumBitDepth <= bitDepth, verification.expectation == nil,
      !verification.canvas.signal.kind.isSDR
    {
      notes.append("\(bitDepth) bits are too few for HDR: ramps show bands.")
    }
    let missing = verification.patches.filter { $0.measured == nil }.count
    if missing > 0 { notes.append("\(missing) patches are cropped or too small to be measured.") }
    if let over = measurement.comparison?.overPatches, verification.faults.isEmpty {
      notes.append(
        "Something covers a small part of a patch, between (\(over.area.x), \(over.area.y)) and (\(over.area.maxX), "
          + "\(over.area.maxY)) in frame \(over.frame).")
    }
    if measurement.details.contains(where: { $0.area == nil }) {
      notes.append(
        "Chroma position and fine detail are measured only where a pixel of the pattern is a pixel of the picture.")
    }
    return notes
  }

  static let overlay = "overlay"
  /// Fraction of outliers above which a patch is covered.
  private static let maximumRejected = 0.05
  /// Smaller fractions are not reported.
  private static let minimumRejected = 0.01
  /// With fewer samples, filtered edges are a large part.
  private static let minimumSamples = 48

  func isCovered(_ tally: PatchTally) -> Bool {
    tally.rejected > Self.maximumRejected && tally.samples >= Self.minimumSamples
  }

  /// Reports outliers excluded from patch means, and attributes failures of covered patches to them.
  func overlayFaults(_ verification: inout Verification) -> [Fault] {
    var covered: [Int] = []
    for (index, patch) in measurement.patches.enumerated() where patch.tally.rejected >= Self.minimumRejected {
      guard patch.tally.samples >= Self.minimumSamples else { continue }
      if isCovered(patch.tally) {
        covered.append(index)
      } else {
        verification.notes.append(
          "\(words(index)) is covered, and was excluded from the mean.")
      }
    }
    guard let worst = covered.max(by: { rejected($0) < rejected($1) }) else { return [] }
    for index in covered where verification.patches[index].reason == "patches" {
      verification.patches[index].reason = "\(Self.overlay), patches"
    }
    return [
      Fault(
        Self.overlay,
        "Something covers \(covered.count) patch\(covered.count == 1 ? "" : "es"): \(words(worst)) at worst.")
    ]
  }

  private func rejected(_ index: Int) -> Double { measurement.patches[index].tally.rejected }

  /// "13 % of 'dark skin' (frame 0)".
  private func words(_ index: Int) -> String {
    let patch = measurement.patches[index]
    let frame = measurement.frames > 1 ? " (frame \(patch.tally.rejectedFrame))" : ""
    return "\(FaultFigure.percent(patch.tally.rejected)) of '\(patch.patch.name)'\(frame)"
  }
}

extension Assessment {
  /// The input has fewer bits than the pattern needs.
  private func inputDepthFault(_ verification: Verification, _ faults: [Fault]) -> Fault? {
    let minimum = verification.pattern.minimumBitDepth
    guard let bitDepth, bitDepth < minimum, verification.expectation == nil else { return nil }
    let name = "bit-depth.\(bitDepth)"
    guard !faults.contains(where: { $0.name == name }) else { return nil }
    return Fault(name, "The input has \(bitDepth) bits, but \(verification.pattern.name) needs at least \(minimum).")
  }

  /// All measurements are correct, but the picture contains something else.
  private func pictureFault() -> Fault? {
    guard let comparison = measurement.comparison, let worst = comparison.worst else { return nil }
    let (from, to) = ((worst.area.x, worst.area.y), (worst.area.maxX, worst.area.maxY))
    let frames =
      comparison.frames == 1 ? "frame \(worst.frame)" : "\(comparison.frames) frames, most in frame \(worst.frame)"
    return Fault(
      "picture",
      "Something in the picture is not part of the pattern, outside what is measured: between (\(from.0), \(from.1)) "
        + "and (\(to.0), \(to.1)), in \(frames).")
  }

  /// Unmeasured parts have not passed.
  private func unmeasuredFault(_ verification: Verification) -> Fault? {
    let patches = verification.patches.contains { $0.measured != nil }
    let ramps = verification.ramps.contains(where: \.isMeasured)
    let details = verification.details.contains { $0.contrast != nil }
    guard !patches, !ramps, !details else { return nil }
    return Fault(
      "unmeasured",
      "No part of the pattern is large enough in the picture to be measured: nothing can be said about it.")
  }
}

private func abs(_ value: SIMD3<Double>) -> SIMD3<Double> { pointwiseMax(value, -value) }
