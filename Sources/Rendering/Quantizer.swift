package import ColorScience
package import Frames
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
  ///   - mask: The dither mask; nil: rounds to nearest.
  ///   - margin: Values this close to a code, in codes, are rounded to it.
  package init(gain: Double, offset: Double, codes: SampleScale, mask: BlueNoise?, margin: Double = 0) {
    self.gain = Float(gain)
    highest = Float(codes.videoCodes.upperBound)
    thresholds = (mask?.rows ?? .rounding).raised(by: Float(offset), margin: Float(margin))
  }

  /// Returns the kernel parameters for one row; valid during the lifetime of this quantizer.
  /// - Parameters:
  ///   - row: Row of the plane.
  ///   - phase: 0, 1, 2 for the three planes, so that their dither patterns differ.
  ///   - origin: Position of the picture in the mask.
  @unsafe
  package func parameters(row: Int, phase: Int, origin: MaskOrigin = MaskOrigin()) -> hr_quantization {
    unsafe hr_quantization(
      gain: gain, highest: highest, thresholds: thresholds.row(row, phase: phase, origin: origin))
  }
}

/// The position in the dither mask at which a picture begins. It changes from frame to frame, so that the pattern is
/// not static, and depends only on the source time: excerpts are dithered like the whole film.
package struct MaskOrigin: Sendable, Hashable {
  package var x = 0
  package var y = 0

  /// Creates the origin at the corner of the mask.
  package init() {}

  /// Creates the origin for a frame at this time, a hash of its microseconds; the corner for time 0.
  ///
  /// Source of the hash: A. Appleby, MurmurHash3, 64-bit finalizer.
  package init(_ time: FrameTime) {
    let microseconds = time.seconds * 1e6
    guard microseconds.magnitude < 0x1p62 else { return }
    var hash = UInt64(bitPattern: Int64(microseconds.rounded()))
    hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
    hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
    hash ^= hash >> 33
    (x, y) = (Int(hash % UInt64(ThresholdRows.size)), Int(hash >> 32 % UInt64(ThresholdRows.size)))
  }
}

/// Rows of 64 thresholds in 0..<1, added to a value before truncation. They are stored twice in memory, so that a row
/// can begin at any of them.
package struct ThresholdRows: Sendable {
  package static let size = 64
  /// Rounds to nearest.
  package static let rounding = ThresholdRows([Float](repeating: 0.5, count: size))

  private let table: FloatTable

  /// - Parameter values: Rows of 64.
  package init(_ values: [Float]) {
    table = FloatTable(
      stride(from: 0, to: values.count, by: Self.size).flatMap { row in
        let row = values[row..<row + Self.size]
        return row + row
      })
  }

  /// Adds the code value of signal 0; thresholds keep `margin` from the ends of their range.
  fileprivate func raised(by offset: Float, margin: Float) -> ThresholdRows {
    let rows = table.count / (2 * Self.size)
    return ThresholdRows(
      (0..<rows).flatMap { row in
        (0..<Self.size).map { margin + self[row: row, column: $0, phase: 0] * (1 - 2 * margin) + offset }
      })
  }

  /// Returns the thresholds of a plane's row. Planes use rows a third of the mask apart.
  @unsafe
  package func row(_ row: Int, phase: Int, origin: MaskOrigin = MaskOrigin()) -> UnsafePointer<Float> {
    let rows = table.count / (2 * Self.size)
    return unsafe table.base + ((row + phase * 21 + origin.y) % rows * 2 * Self.size + origin.x)
  }

  package subscript(row row: Int, column column: Int, phase phase: Int) -> Float {
    let rows = table.count / (2 * Self.size)
    return table[(row + phase * 21) % rows * 2 * Self.size + column % Self.size]
  }
}
