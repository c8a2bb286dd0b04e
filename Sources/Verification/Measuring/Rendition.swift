internal import ColorScience
internal import Patterns

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
