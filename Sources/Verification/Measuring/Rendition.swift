internal import ColorScience
internal import Patterns

/// What signals of the pattern should be in the input, by the input's tags.
struct Rendition: Sendable {
  let expectation: PatternExpectation
  let reading: SignalReading
  /// The input's tags mean other light than the expected signal does, or its samples are light, which has no over-range.
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

  /// The signal in the input's encoding that shows what a signal of the pattern should.
  func signal(_ drawn: SIMD3<Double>) -> SIMD3<Double> { retagged(expectation.map(drawn)) }

  /// A signal of the expected kind in the input's encoding: the same light.
  func retagged(_ expected: SIMD3<Double>) -> SIMD3<Double> {
    guard isRetagged else { return expected }
    return reading.signal(nits: conversion * expectation.signal.nits(expected))
  }
}
