internal import ColorScience
internal import Frames
internal import Patterns

/// A measured position on a ramp.
struct RampPlace {
  /// 0...1 along the ramp.
  var position: Double
  /// R'G'B' of the pattern, before any mapping.
  var source: SIMD3<Double>
  /// R'G'B' of the expected kind.
  var drawn: SIMD3<Double>
  /// In the input's encoding.
  var expected: SIMD3<Double>
  /// Means of samples.
  var samples: SIMD3<Double>
}

extension Assessment {
  /// Points kept in a result.
  private static let maximumPoints = 256
  /// The first and last pixels of a ramp are mixed with their surroundings.
  private static let margin = 4

  /// Positions of a ramp, pixel by pixel, without its ends and without jumps.
  func places(_ ramp: PatternDrawing.Ramp, _ tally: RampTally, of part: RampTally.Part = .mean) -> [RampPlace] {
    guard tally.frames > 0 else { return [] }
    let rendition = measurement.rendition, placement = measurement.placement
    let scale = tally.isHorizontal ? placement.scale.x : placement.scale.y
    let margin = Int((Double(Self.margin) * min(max(scale, 1), 16)).rounded(.up))
    guard tally.length > 2 * margin + 8 else { return [] }
    let offset = reading.color.chromaLocation.offset
    let places = (margin..<tally.length - margin).compactMap { index -> RampPlace? in
      var pixel = SIMD2(
        Double(tally.area.x) + Double(tally.area.width) / 2, Double(tally.area.y) + Double(tally.area.height) / 2)
      if tally.isHorizontal {
        pixel.x = Double(tally.area.x + index) + 0.5
      } else {
        pixel.y = Double(tally.area.y + index) + 0.5
      }
      let point = placement.source(of: pixel)
      let along = ramp.axis == .horizontal ? point.x - Double(ramp.area.x) : point.y - Double(ramp.area.y)
      guard along >= 0, along < Double(ramp.length) else { return nil }
      let source = ramp.signal(Int(along))
      let drawn = rendition.expectation.map(source)
      return RampPlace(
        position: along / Double(ramp.length), source: source, drawn: drawn, expected: rendition.retagged(drawn),
        samples: tally.samples(at: index, chromaOffset: tally.isHorizontal ? offset.x : offset.y, of: part))
    }
    return withoutJumps(places, around: margin)
  }

  /// Filters mix values where the signal jumps.
  private func withoutJumps(_ places: [RampPlace], around margin: Int) -> [RampPlace] {
    func step(_ index: Int) -> Double {
      let difference = places[index].expected - places[index - 1].expected
      return pointwiseMax(difference, -difference).max()
    }
    guard places.count > 2 else { return places }
    let steps = (1..<places.count).map(step)
    let median = steps.sorted()[steps.count / 2]
    let jumps = steps.indices.filter { steps[$0] > 0.02 && steps[$0] > 6 * median }
    guard !jumps.isEmpty else { return places }
    var keeps = [Bool](repeating: true, count: places.count)
    for jump in jumps {
      for index in max(jump + 1 - margin, 0)..<min(jump + 1 + margin, places.count) { keeps[index] = false }
    }
    return places.indices.filter { keeps[$0] }.map { places[$0] }
  }

  func rampResult(_ ramp: PatternDrawing.Ramp, _ tally: RampTally) -> RampResult {
    let places = places(ramp, tally)
    guard !places.isEmpty else {
      return RampResult(
        name: ramp.name, area: nil, points: [], meanDeltaE: 0, worstDeltaE: 0, levels: 0, expectedLevels: 0,
        passes: true)
    }
    var (mean, worst) = errors(places)
    if tally.worstFrame != nil {
      let other = errors(self.places(ramp, tally, of: .worst))
      (mean, worst) = (max(mean, other.mean), max(worst, other.worst))
    }
    let levels = levels(places, tally)
    let step = max((places.count + Self.maximumPoints - 1) / Self.maximumPoints, 1)
    let points = stride(from: 0, to: places.count, by: step).map { index in
      RampResult.Point(
        position: places[index].position, expected: level(places[index].expected),
        measured: level(reading.signal(samples: places[index].samples)))
    }
    var result = RampResult(
      name: ramp.name, area: tally.area, points: points, meanDeltaE: mean, worstDeltaE: worst,
      levels: levels.seen.count, expectedLevels: levels.expected.count, passes: true)
    result.passes = !isOff(result) && !isBanded(result)
    return result
  }

  /// Mean of the differences along a ramp, and the maximum over its parts: a single position is too affected by
  /// rounding.
  private func errors(_ places: [RampPlace]) -> (mean: Double, worst: Double) {
    let rendition = measurement.rendition
    let matrix = YCbCrMatrix(rendition.expectation.drawn.matrix)
    let errors = places.map { place in
      let measured = reading.signal(samples: place.samples)
      let coded = rendition.expectation.coded(place.source, matrix: matrix).map(rendition.retagged)
      return [place.expected, coded].compactMap(\.self).reduce(.infinity) { minimum, expected in
        let stored = reading.signal(components: reading.stored(expected))
        return min(minimum, reading.deltaE(measured, expected), reading.deltaE(measured, stored))
      }
    }
    let run = min(max(errors.count / Self.parts, Self.minimumRun), errors.count)
    var sum = errors[..<run].reduce(0, +)
    var worst = sum
    for index in run..<errors.count {
      sum += errors[index] - errors[index - run]
      worst = max(worst, sum)
    }
    return (errors.reduce(0, +) / Double(errors.count), worst / Double(run))
  }

  /// Parts of a ramp that are assessed separately, and the minimum number of positions in one.
  private static let parts = 64
  private static let minimumRun = 5

  /// Colour differences exceed the tolerance.
  func isOff(_ ramp: RampResult) -> Bool {
    ramp.meanDeltaE > tolerance.deltaE || ramp.worstDeltaE > tolerance.deltaE
  }

  /// Luma, or the largest component, as a signal.
  private func level(_ signal: SIMD3<Double>) -> Double {
    if let matrix = reading.matrix { return matrix.ycbcr(fromRGB: signal).x }
    return signal.max()
  }

  /// Y' or G codes of a ramp: the histogram, and the expected codes.
  func levels(_ ramp: PatternDrawing.Ramp, _ tally: RampTally) -> (seen: [Int: Int], expected: Set<Int>) {
    levels(places(ramp, tally), tally)
  }

  private func levels(_ places: [RampPlace], _ tally: RampTally) -> (seen: [Int: Int], expected: Set<Int>) {
    guard reading.linearUnit == nil else { return ([:], []) }
    let component = reading.isRGB ? 1 : 0
    let rendition = measurement.rendition
    let expected = Set(
      places.map { place in
        // A rendition has no more levels than the pattern that it is made of.
        let signal = rendition.expectation.coded(place.source).map(rendition.retagged) ?? place.expected
        return Int(reading.stored(signal)[component])
      })
    // Only codes of assessed positions count: the surroundings are arbitrary.
    guard let low = expected.min(), let high = expected.max() else { return ([:], []) }
    return (tally.levels.filter { $0.key >= low && $0.key <= high }, expected)
  }

  /// There are far fewer levels than expected.
  /// - Parameter step: Codes from one level to the next.
  func isBanded(_ ramp: RampResult, step: Double = 1) -> Bool {
    ramp.expectedLevels >= 16 && 10 * step * Double(ramp.levels) < 6 * Double(ramp.expectedLevels)
  }

  /// Determines why ramps fail, and faults that explain failures not covered by other faults.
  func rampFaults(_ ramps: inout [RampResult], _ colors: ColorFaults) -> [Fault] {
    for index in ramps.indices where !ramps[index].passes {
      if let accepted = colors.acceptedRounding, !isOff(ramps[index]), !isBanded(ramps[index], step: accepted.step) {
        (ramps[index].passes, ramps[index].reason) = (true, accepted.name)
      } else {
        ramps[index].reason = colors.explanation ?? "ramps"
      }
    }
    let failing = ramps.indices.filter { ramps[$0].reason == "ramps" }
    guard let worst = failing.max(by: { ramps[$0].worstDeltaE < ramps[$1].worstDeltaE }) else { return [] }
    var sentences = ["\(failing.count) of \(ramps.count) ramps are off"]
    if isOff(ramps[worst]) {
      var words = "'\(ramps[worst].name)' by ΔE ITP \(FaultFigure.number(ramps[worst].worstDeltaE)) at worst"
      if let frame = measurement.ramps[worst].tally.worstFrame { words += ", most of all in frame \(frame)" }
      sentences.append(words)
    }
    if let first = failing.first(where: { isBanded(ramps[$0]) }) {
      sentences.append("'\(ramps[first].name)' has \(ramps[first].levels) levels of \(ramps[first].expectedLevels)")
    }
    return [Fault("ramps", sentences.joined(separator: ", ") + ".")]
  }
}
