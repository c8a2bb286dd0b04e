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
