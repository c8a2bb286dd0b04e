internal import ColorScience
internal import Glibc
internal import Patterns

/// The conversion of R'G'B' signals to light by a reference display.
enum DisplayCurve: Sendable, Hashable {
  case pq, hlg, bt1886, sRGB
  /// A power function with its exponent.
  case power(Double)

  /// - Returns: nil if no display curve is defined, and for linear light, which has no signal.
  init?(_ transfer: TransferCharacteristics) {
    switch transfer {
    case .pq: self = .pq
    case .hlg: self = .hlg
    // Camera curves, displayed with BT.1886.
    case .bt709, .smpte170M, .smpte240M, .bt2020TenBit, .bt2020TwelveBit, .iec61966_2_4, .bt1361: self = .bt1886
    case .sRGB: self = .sRGB
    case .gamma22: self = .power(2.2)
    case .gamma28: self = .power(2.8)
    case .linear, .log100, .log316, .smpteST428, .unspecified: return nil
    }
  }

  init(_ kind: PatternSignal.Kind) {
    switch kind {
    case .hdr10: self = .pq
    case .hlg: self = .hlg
    case .sdr, .bt601x525, .bt601x625: self = .bt1886
    case .sRGB: self = .sRGB
    }
  }

  /// Relative to white: signal 1 is SDR white, not an absolute luminance.
  var isSDR: Bool { self != .pq && self != .hlg }

  /// In names of faults: "pq".
  var name: String {
    switch self {
    case .pq: "pq"
    case .hlg: "hlg"
    case .bt1886: "sdr"
    case .sRGB: "srgb"
    case .power(let exponent): "gamma\(Int(exponent * 10))"
    }
  }

  /// In sentences: "PQ".
  var words: String {
    switch self {
    case .pq: "PQ"
    case .hlg: "HLG"
    case .bt1886: "SDR (BT.1886)"
    case .sRGB: "sRGB"
    case .power(let exponent): "gamma \(exponent)"
    }
  }

  /// - Parameters:
  ///   - signal: R', G', B', nominally 0...1.
  ///   - white: Luminance in cd/m² of SDR white.
  /// - Returns: Linear components in cd/m².
  func nits(_ signal: SIMD3<Double>, white: Double = PatternSignal.sdrWhite) -> SIMD3<Double> {
    switch self {
    case .pq: Self.each(signal, PQ.eotf)
    case .hlg: HLG.eotf(signal, peak: PatternSignal.hlgPeak)
    case .bt1886: white * Self.each(signal, BT1886().eotf)
    case .sRGB: white * Self.each(signal, SRGB.eotf)
    case .power(let exponent): white * Self.each(signal) { $0 > 0 ? pow($0, exponent) : 0 }
    }
  }

  /// - Parameters:
  ///   - nits: Linear components in cd/m²; negative values are clipped to 0.
  ///   - white: Luminance in cd/m² of SDR white.
  /// - Returns: R', G', B', nominally 0...1.
  func signal(nits: SIMD3<Double>, white: Double = PatternSignal.sdrWhite) -> SIMD3<Double> {
    let nits = pointwiseMax(nits, .zero)
    switch self {
    case .pq: return Self.each(nits, PQ.inverseEOTF)
    case .hlg: return PatternSignal(.hlg).signal(nits: nits)
    case .bt1886: return Self.each(nits / white, BT1886().inverseEOTF)
    case .sRGB: return Self.each(nits / white, SRGB.inverseEOTF)
    case .power(let exponent): return Self.each(nits / white) { pow($0, 1 / exponent) }
    }
  }

  private static func each(_ value: SIMD3<Double>, _ curve: (Double) -> Double) -> SIMD3<Double> {
    SIMD3(curve(value.x), curve(value.y), curve(value.z))
  }
}
