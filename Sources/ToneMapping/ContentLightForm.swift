internal import ColorScience
internal import Rendering

/// What the values in a decoded band stand for, and the way from there to cd/m².
enum ContentLightForm: Sendable {
  /// Display light; 1.0 is this many cd/m².
  case display(nitsPerUnit: Double)
  /// HLG scene light, shown by a display of this peak in cd/m² and this system gamma.
  case scene(peak: Double, gamma: Double)

  init(_ settings: DisplayMapping.Settings) {
    switch settings.metadata?.kind {
    case .hlg: self = .scene(peak: settings.ootfPeak, gamma: HLG.gamma(peak: settings.ootfPeak))
    case .hdr10(let scale): self = .display(nitsPerUnit: scale)
    case nil: self = .display(nitsPerUnit: settings.display.sdrWhite)
    }
  }

  /// Luminance in cd/m² of 1.0, after the OOTF where there is one.
  var nitsPerUnit: Double {
    switch self {
    case .display(let nits): nits
    case .scene: 1
    }
  }

  func nits(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
    switch self {
    case .display(let nits): rgb * nits
    case .scene(let peak, let gamma): HLG.ootf(rgb, peak: peak, gamma: gamma)
    }
  }

  /// The OOTF as a gain over scene luminance.
  var compiledOOTF: (gain: GainTable, weights: SIMD3<Double>)? {
    guard case .scene(let peak, let gamma) = self else { return nil }
    let gain = GainTable.overLuminance {
      HLG.ootf(SIMD3(repeating: $0), peak: peak, gamma: gamma).x / $0
    }
    return (gain, HLG.luminance)
  }
}
