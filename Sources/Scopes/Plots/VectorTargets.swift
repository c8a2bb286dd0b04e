internal import ColorScience

/// Vectorscope positions of colour bars: red, yellow, green, cyan, blue and magenta of a gamut, with full components at
/// reference white.
struct VectorTargets {
  static let names = ["R", "Y", "G", "C", "B", "M"]
  private static let bars: [SIMD3<Double>] = [[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1]]

  /// Ct and Cp, or Cb and Cr, in the order of `names`.
  let places: [SIMD2<Double>]

  /// - Parameters:
  ///   - nits: Luminance of full components in cd/m².
  ///   - primaries: Primaries of the content, on which Y'CbCr is based.
  init(_ gamut: RGBSpace, nits: Double, plane: VectorPlane, primaries: RGBSpace) {
    places = Self.bars.map { plane.place(ofNits: $0 * nits, in: gamut, primaries: primaries) }
  }
}

extension VectorPlane {
  /// Returns Ct and Cp, or Cb and Cr, of linear light in cd/m².
  ///
  /// Source: ITU-R BT.2100-2, tables 6 and 7.
  func place(ofNits nits: SIMD3<Double>, in space: RGBSpace, primaries: RGBSpace) -> SIMD2<Double> {
    switch self {
    case .ictcp:
      let ictcp = ICtCp.fromNits(RGBSpace.conversion(from: space, to: .bt2020) * nits)
      return SIMD2(ictcp.y, ictcp.z)
    case .ycbcr:
      let light = RGBSpace.conversion(from: space, to: primaries) * nits
      let signal = SIMD3(PQ.inverseEOTF(light.x), PQ.inverseEOTF(light.y), PQ.inverseEOTF(light.z))
      let ycbcr = Self.matrix(for: primaries).ycbcr(fromRGB: signal)
      return SIMD2(ycbcr.y, ycbcr.z)
    }
  }
}
