internal import ColorScience
public import Patterns

/// The expected picture of a pattern: the pattern itself, or the output of a mapping.
public struct PatternExpectation: Sendable {
  /// "tone-mapped:system:headroom=1"; nil: the pattern itself.
  public var name: String?
  /// Signal that the pattern is drawn in.
  public var drawn: PatternSignal
  /// Expected signal of the input.
  public var signal: PatternSignal
  /// Maps drawn R'G'B' to R'G'B' of the input.
  public var map: @Sendable (SIMD3<Double>) -> SIMD3<Double>

  /// Expects the pattern itself.
  public init(_ signal: PatternSignal) {
    drawn = signal
    self.signal = signal
    map = { $0 }
  }

  /// Expects the pattern after a mapping.
  /// - Parameters:
  ///   - name: For reports.
  ///   - drawn: Input signal of the mapping.
  ///   - signal: Output signal of the mapping.
  ///   - map: Maps R'G'B', nominally 0...1, from input to output.
  public init(
    _ name: String, of drawn: PatternSignal, as signal: PatternSignal,
    map: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>
  ) {
    self.name = name
    self.drawn = drawn
    self.signal = signal
    self.map = map
  }

  /// Returns the mapped signal after rounding the source to codes; nil: no mapping.
  /// - Parameter matrix: Matrix of the codes; nil: they are R'G'B'.
  func coded(_ source: SIMD3<Double>, matrix: YCbCrMatrix? = nil) -> SIMD3<Double>? {
    guard name != nil else { return nil }
    guard let matrix else { return map(drawn.signal(codes: drawn.codes(source))) }
    let (ycbcr, scale) = (matrix.ycbcr(fromRGB: source), drawn.scale)
    return map(
      matrix.rgb(
        fromYCbCr: SIMD3(
          scale.luma(fromCode: scale.code(fromLuma: ycbcr.x)), scale.chroma(fromCode: scale.code(fromChroma: ycbcr.y)),
          scale.chroma(fromCode: scale.code(fromChroma: ycbcr.z)))))
  }
}
