internal import ColorScience

/// Rounds to the nearest code values of a `SampleScale`, with precomputed constants.
struct CodeRounding: Sendable {
  private let scale: Double
  /// Code of signal 0.
  private let offset: Double
  private let lowest: Double
  private let highest: Double

  static func luma(_ scale: SampleScale) -> CodeRounding { CodeRounding(scale, scale.lumaScale, scale.lumaOffset) }
  static func chroma(_ scale: SampleScale) -> CodeRounding {
    CodeRounding(scale, scale.chromaScale, scale.chromaOffset)
  }

  private init(_ range: SampleScale, _ scale: Double, _ offset: Double) {
    self.scale = scale
    self.offset = offset
    lowest = Double(range.videoCodes.lowerBound)
    highest = Double(range.videoCodes.upperBound)
  }

  /// NaN becomes the lowest code.
  @inline(__always)
  func code(_ signal: Double) -> UInt16 {
    let value = signal * scale + offset + 0.5
    return value > lowest ? UInt16(min(value, highest)) : UInt16(lowest)
  }
}
