internal import Glibc

/// The brightness of a count: one pixel is faint, and each doubling adds an equal step up to full brightness.
struct TraceTone {
  /// Brightness of one pixel, out of 255.
  static let faint = 62.0

  /// Steps of `CountCode` from one pixel to full brightness, and brightness per step in 256ths.
  private let top: Int16
  private let gain: UInt16

  /// - Parameter full: The count at full brightness.
  init(full: Double) {
    let steps = min(max(CountCode.stepsPerOctave * log2(max(full, 2)), 1), 254)
    top = Int16(steps.rounded())
    gain = UInt16((255 - Self.faint) * 256 / Double(top))
  }

  /// Converts a row of codes to brightness.
  /// - Parameters:
  ///   - codes: `count` codes of `CountCode`, each replaced by its brightness; 0 stays 0.
  ///   - offsets: Subtracted from each code.
  ///   - rowOffset: Subtracted from all codes.
  @unsafe
  @inline(__always)
  func apply(
    to codes: UnsafeMutablePointer<UInt8>, count: Int, offsets: UnsafePointer<UInt8>, rowOffset: UInt8
  ) {
    let (top, gain, faint, all) = (top, gain, UInt16(Self.faint), Int16(rowOffset) &+ 1)
    for x in 0..<count {
      let code = unsafe Int16(codes[x])
      let above = unsafe Int16.larger(code &- all &- Int16(offsets[x]), 0)
      let steps = UInt16(truncatingIfNeeded: Int16.smaller(above, top))
      // All ones where the count is non-zero.
      let any = UInt16(truncatingIfNeeded: (0 &- code) &>> 15)
      unsafe codes[x] = UInt8(truncatingIfNeeded: (faint &+ (steps &* gain) &>> 8) & any)
    }
  }
}
