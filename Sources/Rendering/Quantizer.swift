package import ColorScience
package import SIMDShims

/// Converts signal values to code values, rounded or dithered.
package struct Quantizer: Sendable {
  private let gain: Float
  private let highest: Float
  private let thresholds: ThresholdRows

  /// - Parameters:
  ///   - gain: Code values between signal 0 and 1.
  ///   - offset: Code value of signal 0.
  ///   - codes: Bit depth and range.
  ///   - mask: The dither mask; nil rounds to nearest.
  package init(gain: Double, offset: Double, codes: SampleScale, mask: BlueNoise?) {
    self.gain = Float(gain)
    highest = Float(codes.videoCodes.upperBound)
    thresholds = (mask?.rows ?? .rounding).raised(by: Float(offset))
  }

  /// The kernel parameters for one row; valid during the lifetime of this quantizer.
  /// - Parameters:
  ///   - row: Row of the plane.
  ///   - phase: 0, 1, 2 for the three planes, so that their dither patterns differ.
  @unsafe
  package func parameters(row: Int, phase: Int) -> hr_quantization {
    unsafe hr_quantization(gain: gain, highest: highest, thresholds: thresholds.row(row, phase: phase))
  }
}

/// Rows of 64 thresholds in 0..<1, added to a value before truncation.
package struct ThresholdRows: Sendable {
  package static let size = 64
  /// Rounds to nearest.
  package static let rounding = ThresholdRows([Float](repeating: 0.5, count: size))

  private let table: FloatTable

  package init(_ values: [Float]) { table = FloatTable(values) }

  /// The same plus the code value of signal 0.
  fileprivate func raised(by offset: Float) -> ThresholdRows {
    ThresholdRows((0..<table.count).map { table[$0] + offset })
  }

  /// The thresholds of a plane's row. Planes use rows a third of the mask apart.
  @unsafe
  package func row(_ row: Int, phase: Int) -> UnsafePointer<Float> {
    let rows = table.count / Self.size
    return unsafe table.base + (row + phase * 21) % rows * Self.size
  }

  package subscript(row row: Int, column column: Int, phase phase: Int) -> Float {
    let rows = table.count / Self.size
    return table[(row + phase * 21) % rows * Self.size + column % Self.size]
  }
}
