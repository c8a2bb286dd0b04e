internal import ColorScience

extension VectorPlane {
  /// From the centre of a vectorscope to its edges; what is beyond is shown on the edges. BT.2020 at 1000 cd/m² reaches
  /// 0.46 in ICtCp (green) and 0.38 in Y'CbCr (blue and red).
  public var reach: Double { self == .ictcp ? 0.5 : 0.4 }

  /// Whose colour bars are shown, from the largest gamut.
  var gamuts: [GamutOutline] {
    GamutOutline.all.filter { self == .ictcp || $0.space != .displayP3 }
  }

  /// The colour of a place, at middle light.
  func hue(at place: SIMD2<Double>, primaries: RGBSpace) -> ScopeColor {
    let middle = PQ.inverseEOTF(100)
    switch self {
    case .ictcp:
      let light = ICtCp.toNits(SIMD3(middle, place.x, place.y))
      return ScopeColor(hueOf: RGBSpace.conversion(from: .bt2020, to: .bt709) * light)
    case .ycbcr:
      let signal = Self.matrix(for: primaries).rgb(fromYCbCr: SIMD3(middle, place.x, place.y))
      let light = SIMD3(PQ.eotf(signal.x), PQ.eotf(signal.y), PQ.eotf(signal.z))
      return ScopeColor(hueOf: RGBSpace.conversion(from: primaries, to: .bt709) * light)
    }
  }
}
