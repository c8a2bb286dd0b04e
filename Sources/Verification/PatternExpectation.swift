internal import ColorScience
public import Patterns

/// What a picture of a pattern should be: the pattern itself, or what a mapping makes of it.
public struct PatternExpectation: Sendable {
  /// "tone-mapped:system:headroom=1"; nil: the pattern itself.
  public var name: String?
  /// What the pattern is drawn as.
  public var drawn: PatternSignal
  /// What the input should hold.
  public var signal: PatternSignal
  /// R'G'B' as drawn to R'G'B' of the input.
  public var map: @Sendable (SIMD3<Double>) -> SIMD3<Double>

  /// The pattern itself.
  public init(_ signal: PatternSignal) {
    drawn = signal
    self.signal = signal
    map = { $0 }
  }

  /// What a mapping makes of the pattern.
  /// - Parameters:
  ///   - name: For reports.
  ///   - drawn: Signal that goes into the mapping.
  ///   - signal: Signal that comes out of it.
  ///   - map: R'G'B', nominally 0...1, of the one to those of the other.
  public init(
    _ name: String, of drawn: PatternSignal, as signal: PatternSignal,
    map: @escaping @Sendable (SIMD3<Double>) -> SIMD3<Double>
  ) {
    self.name = name
    self.drawn = drawn
    self.signal = signal
    self.map = map
  }

  /// What the mapping makes of a signal that was rounded to codes first; nil: nothing is mapped.
  /// - Parameter matrix: That of the codes; nil: they are R'G'B'.
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
