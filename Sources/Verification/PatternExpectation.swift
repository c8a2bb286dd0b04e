internal import ColorScience
public import Frames
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

/// The expected HDR metadata of a pattern's picture; nil values are not compared.
public struct ExpectedMetadata: Sendable, Hashable {
  /// Missing mastering display or light level in HDR10 is a fault.
  public var isRequired: Bool
  /// The light of the pattern's pixels as they are coded.
  public var contentLight: ContentLight?
  /// The same before chroma subsampling, which others state.
  public var unsampledLight: ContentLight?
  /// SMPTE ST 2086 of the pattern's file.
  public var masteringDisplay: MasteringDisplay?

  /// By default metadata is required, and no values are compared.
  public init(
    isRequired: Bool = true, contentLight: ContentLight? = nil, unsampledLight: ContentLight? = nil,
    masteringDisplay: MasteringDisplay? = nil
  ) {
    self.isRequired = isRequired
    self.contentLight = contentLight
    self.unsampledLight = unsampledLight
    self.masteringDisplay = masteringDisplay
  }
}

/// Expected input signals for pattern signals, given the input's tags.
struct Rendition: Sendable {
  let expectation: PatternExpectation
  let reading: SignalReading
  /// The input's tags differ in light from the expected signal, or its samples are linear light, which has no
  /// over-range.
  let isRetagged: Bool
  private let conversion: Matrix3

  init(_ expectation: PatternExpectation, _ reading: SignalReading) {
    self.expectation = expectation
    self.reading = reading
    isRetagged =
      reading.linearUnit != nil || reading.curve != DisplayCurve(expectation.signal.kind)
      || reading.space != expectation.signal.space
    conversion = RGBSpace.conversion(from: expectation.signal.space, to: reading.space)
  }

  /// Returns the signal in the input's encoding for a pattern signal.
  func signal(_ drawn: SIMD3<Double>) -> SIMD3<Double> { retagged(expectation.map(drawn)) }

  /// Converts a signal of the expected kind to the input's encoding, preserving light.
  func retagged(_ expected: SIMD3<Double>) -> SIMD3<Double> {
    guard isRetagged else { return expected }
    return reading.signal(nits: conversion * expectation.signal.nits(expected))
  }
}
