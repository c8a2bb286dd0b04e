internal import ColorScience

extension Distortions {
  /// Smaller gains and offsets cannot be distinguished from errors of healthy encoders.
  private static let minimumLightGain = 0.01
  private static let minimumSignalGain = 0.005
  /// In ten-bit codes, or eight-bit ones for an eight-bit input.
  private static let minimumOffset = 1.5

  /// A distortion with one parameter, to be fitted near an initial guess.
  struct Family {
    var guess: Double
    /// Maximum distance of the parameter from the guess.
    var span: Double
    /// Values closer than `least` to this are not a fault.
    var neutral = 1.0
    var minimum = 0.0
    var distortion: (Double) -> Distortion
  }

  /// Level distortions with initial guesses of their parameters.
  /// - Parameter base: The other distortions.
  func families(_ observations: [Observation], _ base: Hypothesis) -> [Family] {
    guard !base.distortions.contains(where: { $0.stage == .level }) else { return [] }
    let pairs = observations.map {
      Pair(
        expected: base.signal($0.expected, rendition), measured: reading.signal(components: $0.measured),
        weight: $0.weight)
    }
    return [lightGain(pairs), signalGain(pairs), offset(pairs)].compactMap { $0 } + clips(pairs)
  }

  /// An expected signal and its measurement.
  private struct Pair {
    var expected: SIMD3<Double>
    var measured: SIMD3<Double>
    var weight: Double

    /// Neither dark, where codes are too coarse, nor near the end, where signals are clipped.
    var showsGain: Bool { expected.max() > 0.15 && expected.max() < 0.98 }
  }

  private static let gains = 0.02...50.0

  private func lightGain(_ pairs: [Pair]) -> Family? {
    let weights = reading.space.luminance
    let ratios = pairs.filter(\.showsGain).map { pair in
      let expected = (weights * reading.nits(pair.expected)).sum()
      return (value: (weights * reading.nits(pair.measured)).sum() / expected, weight: pair.weight)
    }
    guard let guess = median(ratios), Self.gains.contains(guess) else { return nil }
    return Family(guess: guess, span: 0.03 * guess, minimum: Self.minimumLightGain) { [reading] gain in
      let fault = Fault(
        "gain",
        "The light is \(FaultFigure.percent(gain)) of what it should be, at all levels: somewhere it is multiplied by "
          + "\(FaultFigure.factor(gain)).")
      return Distortion(stage: .level, faults: [fault], parameters: 1) {
        let signal = reading.signal(nits: gain * reading.nits($0))
        // Components without light are unchanged.
        return signal.replacing(with: $0, where: $0 .<= 0)
      }
    }
  }

  private func signalGain(_ pairs: [Pair]) -> Family? {
    let ratios = pairs.filter(\.showsGain).map { (value: $0.measured.sum() / $0.expected.sum(), weight: $0.weight) }
    guard let guess = median(ratios), Self.gains.contains(guess) else { return nil }
    return Family(guess: guess, span: 0.02 * guess, minimum: Self.minimumSignalGain) { gain in
      let fault = Fault(
        "gain",
        "The signal is \(FaultFigure.percent(gain)) of what it should be, at all levels: somewhere R'G'B' is multiplied "
          + "by \(FaultFigure.factor(gain)).")
      return Distortion(stage: .level, faults: [fault], parameters: 1) { gain * $0 }
    }
  }

  private func offset(_ pairs: [Pair]) -> Family? {
    let differences = pairs.filter { $0.expected.max() < 0.98 }.map {
      (value: ($0.measured - $0.expected).sum() / 3, weight: $0.weight)
    }
    guard let guess = median(differences) else { return nil }
    let code = reading.unit / reading.scale.lumaScale
    return Family(guess: guess, span: 2 * code, neutral: 0, minimum: Self.minimumOffset * code) { [reading] offset in
      let codes = offset * reading.scale.lumaScale
      let fault = Fault(
        "offset",
        "All signals are \(FaultFigure.number(abs(codes))) codes too \(codes > 0 ? "high" : "low"), black as well as "
          + "white.")
      return Distortion(stage: .level, faults: [fault], parameters: 1) { $0 + offset }
    }
  }

  /// A level above which everything is clipped: of each component, of the largest with the others in proportion, or of
  /// luma.
  private func clips(_ pairs: [Pair]) -> [Family] {
    let luma = reading.matrix ?? .bt2020
    let minimum = 4 * reading.unit / reading.scale.lumaScale
    func level(_ value: (SIMD3<Double>) -> Double) -> Double? {
      median(
        pairs.filter { value($0.expected) - value($0.measured) > minimum }
          .map { (value: value($0.measured), weight: $0.weight) })
    }
    func family(_ guess: Double, _ cut: @escaping (Double) -> @Sendable (SIMD3<Double>) -> SIMD3<Double>) -> Family {
      Family(guess: guess, span: minimum / 2, neutral: .infinity) { level in
        let (fault, nits) = clipFault(level)
        return Distortion(stage: .level, faults: [fault], parameters: 1, clipPoint: nits, apply: cut(level))
      }
    }
    var result: [Family] = []
    if let guess = level({ $0.max() }) {
      result.append(family(guess) { level in { pointwiseMin($0, SIMD3(repeating: level)) } })
      result.append(
        family(guess) { [reading] level in
          let light = reading.nits(SIMD3(repeating: level)).max()
          return {
            let nits = reading.nits($0)
            return nits.max() > light ? reading.signal(nits: nits * (light / nits.max())) : $0
          }
        })
    }
    if let guess = level({ luma.ycbcr(fromRGB: $0).x }) {
      result.append(
        family(guess) { level in
          {
            var ycbcr = luma.ycbcr(fromRGB: $0)
            ycbcr.x = min(ycbcr.x, level)
            return luma.rgb(fromYCbCr: ycbcr)
          }
        })
    }
    return result
  }

  private func clipFault(_ cut: Double) -> (Fault, nits: Double) {
    let nits = reading.nits(SIMD3(repeating: cut)).max()
    if abs(cut - 1) * reading.scale.lumaScale < 2.5 * reading.unit { return (Self.superWhite, nits) }
    return (
      Fault(
        "clip",
        "Everything above about \(FaultFigure.number(nits)) cd/m² is clipped: brighter parts all look alike."), nits
    )
  }

  /// Weighted median; nil if empty.
  private func median(_ values: [(value: Double, weight: Double)]) -> Double? {
    let values = values.filter { $0.value.isFinite }.sorted { $0.value < $1.value }
    let half = values.reduce(0) { $0 + $1.weight } / 2
    var sum = 0.0
    return values.first { value in
      sum += value.weight
      return sum >= half
    }?.value
  }
}
