internal import ColorScience
internal import Frames
import Glibc
internal import Rendering

extension AdaptiveToneMap.Adaptation {
  /// Why the renditions are inapplicable; nil: applicable, or no renditions.
  var fault: String? {
    guard case .alternates(let alternates, let space) = method, let first = alternates.first else { return nil }
    guard alternates.allSatisfy({ $0.mix == first.mix }) else {
      return "its renditions mix the components in different ways"
    }
    guard first.mix.weights.component == 0 else { return "its gain differs from component to component" }
    guard space.rgb != nil else { return "its primaries are not colours" }
    return nil
  }

  /// Returns the renditions, adapted to a display; nil if there are none or they are inapplicable.
  /// - Parameter primaries: Primaries of the content.
  func mapper(_ conditions: ToneConditions, primaries: RGBSpace) -> ToneMapper? {
    guard case .alternates(let alternates, let space) = method, fault == nil, let gainSpace = space.rgb
    else { return nil }
    let gain = HeadroomAdaptiveGain(
      baseline: baselineStops, renditions: alternates.map { rendition($0) }, target: log2(conditions.display.headroom))
    let (white, sdrWhite) = (conditions.referenceWhite, conditions.display.sdrWhite)
    let mix = alternates.first?.mix ?? .maximum
    if mix == .maximum, alternates.isEmpty || gainSpace == primaries {
      return ToneMapper(displayPeak: conditions.display.peak, uncompressedGain: sdrWhite / white) { nits in
        nits * exp2(gain.stops(nits / white)) * sdrWhite / white
      }
    }
    let matrix = RGBSpace.conversion(from: primaries, to: gainSpace)
    let weights = mix.weights
    let components = ComponentMix(
      weights: matrix.transposed * weights.sum, largest: weights.largest, smallest: weights.smallest, matrix: matrix)
    return ToneMapper(
      displayPeak: conditions.display.peak, uncompressedGain: sdrWhite / white, mix: components
    ) { nits in
      exp2(gain.stops(nits / white)) * sdrWhite / white
    }
  }

  private func rendition(_ alternate: AdaptiveToneMap.Alternate) -> HeadroomAdaptiveGain.Rendition {
    .init(
      headroom: AdaptiveToneMap.stops(alternate.headroom),
      curve: GainCurve(alternate.curve, sign: baselineHeadroom < alternate.headroom ? 1 : -1))
  }
}

extension AdaptiveToneMap.Mix {
  /// Weights that sum to 1. Source: SMPTE ST 2094-50 (draft of 2026-02-23), 6.4 and C.3.6.
  fileprivate var weights: (sum: SIMD3<Double>, largest: Double, smallest: Double, component: Double) {
    switch self {
    case .maximum: return (.zero, 1, 0, 0)
    case .component: return (.zero, 0, 0, 1)
    case .luma: return (SIMD3(repeating: 1.0 / 6), 0.5, 0, 0)
    case .custom(let coded):
      let parts = coded.map { Double(min($0, 50_000)) }
      let total = parts.reduce(0, +)
      let shares = parts.map { $0 / total }
      return (SIMD3(shares[0], shares[1], shares[2]), shares[3], shares[4], shares[5])
    }
  }
}

extension AdaptiveToneMap.GainSpace {
  /// nil: the chromaticities do not span a triangle around their white. Source: C.3.5.
  fileprivate var rgb: RGBSpace? {
    switch self {
    case .bt709: return .bt709
    case .displayP3: return .displayP3
    case .bt2020: return .bt2020
    case .custom(let coded):
      let xy = coded.map { Double(min($0, 50_000)) / MasteringDisplay.chromaticityUnits }
      guard xy[7] > 0 else { return nil }
      func point(_ index: Int) -> Chromaticity { Chromaticity(x: xy[2 * index], y: xy[2 * index + 1]) }
      let space = RGBSpace(red: point(0), green: point(1), blue: point(2), white: point(3))
      // Elements become unbounded or NaN as the triangle degenerates to a line.
      let inverse = space.rgbToXYZ.inverse
      let elements = [space.rgbToXYZ, inverse].flatMap { [$0.row0, $0.row1, $0.row2] }
      return elements.allSatisfy { all($0 .> -100 .& $0 .< 100) } ? space : nil
    }
  }
}
