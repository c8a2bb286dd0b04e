internal import ColorScience

/// The light of code values on the reference display, by tables.
struct LightTable: Sendable {
  private let kind: PatternSignal.Kind
  /// By the code: cd/m², of HLG scene light. Never falls.
  private let components: [Double]

  init(_ signal: PatternSignal) {
    kind = signal.kind
    components = (0...signal.scale.maxCode).map { code in
      let value = signal.scale.luma(fromCode: code)
      return signal.kind == .hlg ? HLG.inverseOETF(value) : signal.nits(SIMD3(repeating: value)).x
    }
  }

  /// max(R, G, B) in cd/m².
  func brightest(_ codes: SIMD3<UInt16>) -> Double {
    guard kind == .hlg else { return components[Int(codes.max())] }
    let scene = SIMD3(components[Int(codes.x)], components[Int(codes.y)], components[Int(codes.z)])
    return HLG.ootf(scene, peak: PatternSignal.hlgPeak, gamma: HLG.gamma(peak: PatternSignal.hlgPeak)).max()
  }
}
