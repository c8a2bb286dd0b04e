internal import Glibc

/// Counts as bytes: their logarithms.
///
/// 0 is no pixel, 1 is one pixel, and every doubling adds `stepsPerOctave`.
enum CountCode {
  static let stepsPerOctave = 15.875
  /// The largest count that has a code of its own.
  static let most = 65_535

  /// The code of each count.
  static let table: [UInt8] = (0...most).map { count in
    count == 0 ? 0 : UInt8(1 + (stepsPerOctave * log2(Double(count))).rounded())
  }
}
