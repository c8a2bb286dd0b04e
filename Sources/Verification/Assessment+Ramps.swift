internal import ColorScience
internal import Frames
internal import Patterns

/// A place of a ramp that was measured.
struct RampPlace {
  /// 0...1 along the ramp.
  var position: Double
  /// Of the expected kind.
  var drawn: SIMD3<Double>
  /// In the input's encoding.
  var expected: SIMD3<Double>
  /// Means of samples.
  var samples: SIMD3<Double>
}

extension Assessment {
  /// Points that a result keeps.
  private static let mostPoints = 256
  /// The first and last pixels of a ramp are mixed with what is beside it.
  private static let margin = 4

  /// Places of a ramp, pixel by pixel, without its ends and without jumps.
  func places(_ ramp: PatternDrawing.Ramp, _ tally: RampTally) -> [RampPlace] {
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
      let source = placement.source(of: pixel)
      let along = ramp.axis == .horizontal ? source.x - Double(ramp.area.x) : source.y - Double(ramp.area.y)
      guard along >= 0, along < Double(ramp.length) else { return nil }
      let drawn = rendition.expectation.map(ramp.signal(Int(along)))
      return RampPlace(
        position: along / Double(ramp.length), drawn: drawn, expected: rendition.retagged(drawn),
        samples: tally.samples(at: index, chromaOffset: tally.isHorizontal ? offset.x : offset.y))
    }
    return withoutJumps(places, around: margin)
  }

  /// Where the signal jumps, filters mix.
  private func withoutJumps(_ places: [RampPlace], around margin: Int) -> [RampPlace] {
    func step(_ index: Int) -> Double {
      let difference = places[index].expected - places[index - 1].expected
      return pointwiseMax(difference, -difference).max()
    }
    guard places.count > 2 else { return places }
    let steps = (1..<places.count).map(step)
    let usual = steps.sorted()[steps.count / 2]
    let jumps = steps.indices.filter { steps[$0] > 0.02 && steps[$0] > 6 * usual }
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
    let errors = places.map { place in
      let measured = reading.signal(samples: place.samples)
      return min(
        reading.deltaE(measured, place.expected),
        reading.deltaE(measured, reading.signal(components: reading.stored(place.expected))))
    }
    // Three neighbours together: a single one is as far off as its rounding.
    let smooth = errors.indices.map { index in
      let near = errors[max(index - 1, 0)...min(index + 1, errors.count - 1)]
      return near.reduce(0, +) / Double(near.count)
    }
    let mean = errors.reduce(0, +) / Double(errors.count)
    let worst = smooth.max() ?? 0
    let levels = levels(places, tally)
    let step = max((places.count + Self.mostPoints - 1) / Self.mostPoints, 1)
    let points = stride(from: 0, to: places.count, by: step).map { index in
      RampResult.Point(
        position: places[index].position, expected: level(places[index].expected),
        measured: level(reading.signal(samples: places[index].samples)))
    }
    return RampResult(
      name: ramp.name, area: tally.area, points: points, meanDeltaE: mean, worstDeltaE: worst,
      levels: levels.seen.count, expectedLevels: levels.expected.count,
      passes: mean <= tolerance.deltaE && worst <= 3 * tolerance.deltaE
        && !isBanded(levels.seen.count, levels.expected.count))
  }

  /// Luma, or the largest component, as a signal.
  private func level(_ signal: SIMD3<Double>) -> Double {
    if let matrix = reading.matrix { return matrix.ycbcr(fromRGB: signal).x }
    return signal.max()
  }

  /// Codes of Y' or G of a ramp: how often each was seen, and which there should be.
  func levels(_ ramp: PatternDrawing.Ramp, _ tally: RampTally) -> (seen: [Int: Int], expected: Set<Int>) {
    levels(places(ramp, tally), tally)
  }

  private func levels(_ places: [RampPlace], _ tally: RampTally) -> (seen: [Int: Int], expected: Set<Int>) {
    guard reading.linearUnit == nil else { return ([:], []) }
    let component = reading.isRGB ? 1 : 0
    let expected = Set(places.map { Int(reading.stored($0.expected)[component]) })
    // The codes of the places that count only: beside them may be anything.
    guard let low = expected.min(), let high = expected.max() else { return ([:], []) }
    return (tally.levels.filter { $0.key >= low && $0.key <= high }, expected)
  }

  /// Much fewer levels than there should be.
  private func isBanded(_ seen: Int, _ expected: Int) -> Bool { expected >= 16 && 10 * seen < 6 * expected }

  func rampFaults(_ ramps: [RampResult], _ colors: ColorFaults) -> [Fault] {
    let failing = ramps.filter { !$0.passes }
    guard !failing.isEmpty, !colors.explains else { return [] }
    let worst = failing.max { $0.worstDeltaE < $1.worstDeltaE }
    let banded = failing.filter { isBanded($0.levels, $0.expectedLevels) }
    var sentences = ["\(failing.count) of \(ramps.count) ramps are off"]
    if let worst { sentences.append("'\(worst.name)' by ΔE ITP \((10 * worst.worstDeltaE).rounded() / 10) at worst") }
    if let first = banded.first {
      sentences.append("'\(first.name)' has \(first.levels) levels of \(first.expectedLevels)")
    }
    return [Fault("ramps", sentences.joined(separator: ", ") + ".")]
  }
}
