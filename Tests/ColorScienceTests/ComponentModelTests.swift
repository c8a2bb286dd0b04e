import ColorScience
import Testing

/// The matrices of H.273 beside those of fixed weights.
@Suite struct ComponentModelTests {
  /// What BT.2020 prints is what H.273 computes, but for alpha, which was 1.099 then.
  @Test func printedConstantLuminance() {
    let computed = ConstantLuminance(weights: .bt2020, curve: .camera)
    let printed = ConstantLuminance.bt2020
    for (a, b) in [(computed.blue, printed.blue), (computed.red, printed.red)] {
      #expect(abs(a.below - b.below) < 5e-4 && abs(a.above - b.above) < 5e-4)
    }
  }

  /// To Y'c, C'bc and C'rc by the formulas of BT.2020 table 4, and back.
  @Test(arguments: [CodingCurve.camera, .pq, .hlg, .sRGB, .smpte240M, .power(2.2)])
  func constantLuminanceComesBack(_ curve: CodingCurve) {
    let form = ConstantLuminance(weights: .bt2020, curve: curve)
    for rgb in [
      SIMD3(0.2, 0.5, 0.9), SIMD3(0.9, 0.3, 0.1), SIMD3(0.05, 0.9, 0.4), SIMD3(0.7, 0.7, 0.7), SIMD3(1, 0, 0),
    ] {
      let luminance =
        form.weights.kr * curve.light(fromSignal: rgb.x) + form.weights.kg * curve.light(fromSignal: rgb.y)
        + form.weights.kb * curve.light(fromSignal: rgb.z)
      let luma = curve.signal(fromLight: luminance)
      func difference(_ signal: Double, _ reach: ConstantLuminance.Reach) -> Double {
        (signal - luma) / (signal < luma ? reach.below : reach.above)
      }
      let coded = SIMD3(luma, difference(rgb.z, form.blue), difference(rgb.x, form.red))
      // Of curves like PQ's, mixed colours can lie a little beyond.
      #expect(abs(coded.y) <= 0.5 + 1e-9 && abs(coded.z) <= 0.5 + 1e-9 || curve == .pq)
      let back = form.rgb(fromYCbCr: coded)
      // Of the signal: where there is no green at all, what is left of luminance is rounding.
      #expect((back - rgb).max() < 1e-3 && (rgb - back).max() < 1e-3, "\(rgb) \(back)")
    }
  }

  /// Source: SMPTE ST 240 prints alpha 1.1115 and beta 0.0228; both pieces meet.
  @Test func smpte240MCurve() {
    let curve = CodingCurve.smpte240M
    #expect(abs(curve.signal(fromLight: 0.0228) - 0.0912) < 1e-9)
    #expect(abs(curve.signal(fromLight: 0.5) - (1.1115 * 0.7320428 - 0.1115)) < 1e-4)
    for light in stride(from: 0.0, through: 1, by: 0.01) {
      #expect(abs(curve.light(fromSignal: curve.signal(fromLight: light)) - light) < 1e-9)
    }
  }

  /// The weights that standards print are those of their primaries. Source: BT.709-6 and BT.2020-2, item 3.2 and table 4.
  @Test func derivedWeights() throws {
    for (space, printed) in [(RGBSpace.bt709, YCbCrMatrix.bt709), (.bt2020, .bt2020)] {
      let derived = try #require(YCbCrMatrix(.chromaticityDerivedNCL, primaries: space))
      #expect(abs(derived.kr - printed.kr) < 1e-4 && abs(derived.kb - printed.kb) < 1e-4)
    }
    #expect(YCbCrMatrix(.chromaticityDerivedNCL) == nil)
  }

  /// Light takes part in these, so a curve must be known, and I, Ct and Cp are of PQ and HLG only.
  @Test func whatIsNotDefined() {
    #expect(ComponentModel(.ictcp, primaries: .bt2020, transfer: .bt709) == nil)
    #expect(ComponentModel(.bt2020CL, primaries: .bt2020, transfer: .unspecified) == nil)
    #expect(ComponentModel(.chromaticityDerivedCL, primaries: nil, transfer: .pq) == nil)
    #expect(ComponentModel(.unspecified, primaries: .bt2020, transfer: .pq) == nil)
    #expect(
      ComponentModel(.ictcp, primaries: .bt2020, transfer: .pq)
        != ComponentModel(.ictcp, primaries: .bt2020, transfer: .hlg))
  }

  /// Y = G / 2 + (R + B) / 4, Cg = G / 2 - (R + B) / 4, Co = (R - B) / 2. Source: H.273, 8.3.
  @Test func ycgco() throws {
    guard case .linear(let matrix, true)? = ComponentModel(.ycgco, primaries: nil, transfer: .bt709) else {
      Issue.record("not linear, with the scale of luma")
      return
    }
    let (r, g, b) = (0.3, 0.8, 0.1)
    let rgb = matrix * SIMD3(g / 2 + (r + b) / 4, g / 2 - (r + b) / 4, (r - b) / 2)
    #expect((rgb - SIMD3(r, g, b)).max() < 1e-12 && (SIMD3(r, g, b) - rgb).max() < 1e-12)
  }
}
