extension PatternSketch {
  /// A row of patches for patterns that consist of something else: they tell errors of range, matrix and gain from
  /// those that the pattern looks for.
  /// - Parameter nits: Luminance of white in cd/m².
  mutating func references(_ part: LayoutArea, nits: Double) {
    let white = gray(nits)
    let patches: [(name: String, signal: SIMD3<Double>)] = [
      ("black", .zero), ("25% grey", white * 0.25), ("50% grey", white * 0.5), ("75% grey", white * 0.75),
      ("white", white),
      ("yellow", white * SIMD3(1, 1, 0)), ("cyan", white * SIMD3(0, 1, 1)), ("green", white * SIMD3(0, 1, 0)),
      ("magenta", white * SIMD3(1, 0, 1)), ("red", white * SIMD3(1, 0, 0)), ("blue", white * SIMD3(0, 0, 1)),
    ]
    for (patch, place) in zip(patches, part.columns(patches.count)) {
      self.patch("reference \(patch.name)", group: "references", place, patch.signal)
    }
  }

  /// Luminance in cd/m² of the white of references and codes: HDR reference white, or that of SDR.
  /// Source: ITU-R BT.2408-7, 2.1.
  var referenceWhite: Double { min(203, signal.peak) }
}
