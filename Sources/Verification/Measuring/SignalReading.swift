internal import ColorScience
internal import Frames
internal import Glibc
internal import Patterns

/// The interpretation of an input's samples by its tags.
///
/// Components are Y', Cb, Cr or R', G', B' in code values; for linear light, the equivalent R'G'B' codes of the
/// expected signal.
struct SignalReading: Sendable {
  let layout: PixelLayout
  /// Complete colour description.
  let color: ColorDescription
  /// Scale of the components.
  let scale: SampleScale
  /// nil: components are R'G'B'.
  let matrix: YCbCrMatrix?
  let curve: DisplayCurve
  /// Primaries of signals.
  let space: RGBSpace
  /// Luminance in cd/m² of linear-light samples; nil: samples are code values.
  let linearUnit: Double?
  /// From linear light of the samples to linear light of the signal.
  private let linearConversion: Matrix3
  private let toBT2020: Matrix3

  /// - Parameter expected: Fills gaps in the tags.
  init(_ frame: CodedFrame, expected: PatternSignal) throws(VerificationError) {
    layout = frame.layout
    var color = frame.color
    if color.transfer == .unspecified { color.transfer = expected.transfer }
    if color.primaries == .unspecified { color.primaries = expected.primaries }
    if color.matrix == .unspecified || color.matrix == .rgb { color.matrix = expected.matrix }
    if layout.components == .rgb { color.matrix = .rgb }
    self.color = color
    let tagged = color.primaries.space ?? expected.space
    if layout.samples == .half {
      linearUnit = frame.metadata.linearUnit ?? PatternSignal.sdrWhite
      linearConversion = RGBSpace.conversion(from: tagged, to: expected.space)
      space = expected.space
      curve = DisplayCurve(expected.kind)
      matrix = nil
      scale = SampleScale(bitDepth: expected.bitDepth, range: .full)
    } else {
      guard let curve = DisplayCurve(color.transfer) else { throw .unsupportedTransfer(color.transfer) }
      linearUnit = nil
      linearConversion = .identity
      space = tagged
      self.curve = curve
      matrix = YCbCrMatrix(color.matrix)
      if layout.components != .rgb, matrix == nil { throw .unsupportedMatrix(color.matrix) }
      scale = SampleScale(bitDepth: layout.bitDepth, range: color.range)
    }
    toBT2020 = RGBSpace.conversion(from: space, to: .bt2020)
  }

  var isRGB: Bool { matrix == nil }

  /// Codes per step at ten bits, or at the input's depth if that is less.
  var unit: Double { Double(max(1 << max(scale.bitDepth - 10, 0), 1)) }

  /// Returns linear components in cd/m² in the primaries of the signal.
  func nits(_ signal: SIMD3<Double>) -> SIMD3<Double> { curve.nits(signal) }

  func signal(nits: SIMD3<Double>) -> SIMD3<Double> { curve.signal(nits: nits) }

  /// Converts light in cd/m² in the primaries of the signal for `ICtCp.deltaEITP`.
  func ictcp(nits: SIMD3<Double>) -> SIMD3<Double> { ICtCp.fromNits(toBT2020 * nits) }

  /// Returns the difference of two signals in ΔE ITP.
  func deltaE(_ first: SIMD3<Double>, _ second: SIMD3<Double>) -> Double {
    ICtCp.deltaEITP(ictcp(nits: nits(first)), ictcp(nits: nits(second)))
  }

  /// Converts sample means to a signal: Y', Cb, Cr or R, G, B.
  func signal(samples: SIMD3<Double>) -> SIMD3<Double> {
    guard let linearUnit else { return signal(components: samples) }
    return signal(nits: linearConversion * (linearUnit * samples))
  }

  /// Converts components to a signal.
  func signal(components: SIMD3<Double>) -> SIMD3<Double> {
    guard let matrix else { return (components - scale.lumaOffset) / scale.lumaScale }
    return matrix.rgb(
      fromYCbCr: SIMD3(
        (components.x - scale.lumaOffset) / scale.lumaScale, (components.y - scale.chromaOffset) / scale.chromaScale,
        (components.z - scale.chromaOffset) / scale.chromaScale))
  }

  /// Converts a signal to components, neither rounded nor limited.
  func components(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    guard let matrix else { return signal * scale.lumaScale + scale.lumaOffset }
    let ycbcr = matrix.ycbcr(fromRGB: signal)
    return SIMD3(
      ycbcr.x * scale.lumaScale + scale.lumaOffset, ycbcr.y * scale.chromaScale + scale.chromaOffset,
      ycbcr.z * scale.chromaScale + scale.chromaOffset)
  }

  /// Limits components to the valid range of video data.
  func limited(_ components: SIMD3<Double>) -> SIMD3<Double> {
    guard linearUnit == nil else { return components }
    return components.clamped(
      lowerBound: SIMD3(repeating: Double(scale.videoCodes.lowerBound)),
      upperBound: SIMD3(repeating: Double(scale.videoCodes.upperBound)))
  }

  /// Returns the stored components of a signal: rounded and limited.
  func stored(_ signal: SIMD3<Double>) -> SIMD3<Double> {
    let components = limited(components(signal))
    return linearUnit == nil ? (components + 0.5).rounded(.down) : components
  }

  /// Returns R'G'B' codes of a signal in the depth and range of the components.
  func codes(_ signal: SIMD3<Double>) -> SIMD3<Double> { signal * scale.lumaScale + scale.lumaOffset }
}

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
