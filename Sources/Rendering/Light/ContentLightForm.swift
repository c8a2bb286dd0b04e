package import ColorScience

/// The meaning of values in a decoded band, and the conversion to cd/m².
package enum ContentLightForm: Sendable {
  /// Display light; 1.0 is this many cd/m².
  case display(nitsPerUnit: Double)
  /// HLG scene light, for a display of this peak in cd/m² and this system gamma; exposure scales the peak.
  case scene(peak: Double, gamma: Double)

  /// Light of the reference display: 1000 cd/m² for HLG, `sdrWhite` cd/m² at SDR white.
  package init(_ content: ContentInterpretation, sdrWhite: Double) {
    switch content.metadata?.kind {
    case .hlg:
      let peak = EDRMetadata.defaultMaxLuminance
      self = .scene(peak: peak, gamma: HLG.gamma(peak: peak))
    case .hdr10(let scale): self = .display(nitsPerUnit: scale)
    case nil: self = .display(nitsPerUnit: sdrWhite)
    }
  }

  /// Luminance in cd/m² of 1.0, after any OOTF.
  package var nitsPerUnit: Double {
    switch self {
    case .display(let nits): nits
    case .scene: 1
    }
  }

  package func nits(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    switch self {
    case .display(let nits): rgb * nits
    case .scene(let peak, let gamma): HLG.ootf(rgb, peak: peak, gamma: gamma)
    }
  }

  /// Returns the components of a grey with a luminance in cd/m².
  package func light(ofGray nits: Double) -> Double {
    switch self {
    case .display(let unit): nits / unit
    case .scene(let peak, let gamma): HLG.inverseOOTF(SIMD3(repeating: nits), peak: peak, gamma: gamma).x
    }
  }

  /// Returns the components of a grey just above a luminance in cd/m², so that white rounded up to half float is not
  /// above white.
  package func light(above nits: Double) -> Double { light(ofGray: nits) * (1 + 0x1p-11) }

  /// Returns luminance weights of the components; for scene light, the rounded BT.2020 weights of HLG's OOTF.
  package func luminance(of primaries: RGBSpace) -> SIMD3<Double> {
    switch self {
    case .display: primaries.luminance
    case .scene: HLG.luminance
    }
  }

  /// Returns the boundary of a gamut for such light, with the default floor.
  package func boundary(
    of gamut: RGBSpace, from source: RGBSpace, tolerance: Double = GamutBoundary.defaultTolerance
  ) -> GamutBoundary {
    GamutBoundary(of: gamut, from: source, tolerance: tolerance, floor: light(ofGray: GamutBoundary.defaultFloor))
  }

  /// The OOTF as a gain on scene luminance.
  package var compiledOOTF: (gain: GainTable, weights: SIMD3<Double>)? {
    guard case .scene(let peak, let gamma) = self else { return nil }
    let gain = GainTable.overLuminance {
      HLG.ootf(SIMD3(repeating: $0), peak: peak, gamma: gamma).x / $0
    }
    return (gain, HLG.luminance)
  }
}
