internal import ColorScience
internal import Rendering

/// PQ of every half float of light, indexed by its bit pattern: negative values and NaN are treated as 0, values above
/// 10,000 cd/m² are clipped.
@safe
final class ScopeTables: @unchecked Sendable {
  // @unchecked and @safe: written only in `init`; users of `levels` retain this object.
  private let levelStorage: RowStorage<UInt16>
  /// 0...1.
  let signals: FloatTable

  /// - Parameter nitsPerUnit: Luminance of 1.0 in cd/m².
  init(nitsPerUnit: Double) {
    let count = 1 << 16
    let black = PQ.inverseEOTF(0)
    var signals = [Float](repeating: Float(black), count: count)
    levelStorage = RowStorage(rows: 1, width: count)
    let levels = unsafe levelStorage.row(0)
    unsafe levels.update(repeating: Self.level(black), count: count)
    for bits in 0...Float16.infinity.bitPattern {
      let signal = PQ.inverseEOTF(Double(Float16(bitPattern: bits)) * nitsPerUnit)
      signals[Int(bits)] = Float(signal)
      unsafe levels[Int(bits)] = Self.level(signal)
    }
    self.signals = FloatTable(signals)
  }

  /// Returns the full-range ten-bit code value of a signal in 0...1. Source: ITU-R BT.2100-2, table 9.
  private static func level(_ signal: Double) -> UInt16 { UInt16(signal * Double(ScopeCounts.levels - 1) + 0.5) }

  /// Code values, 0...1023.
  @unsafe
  var levels: UnsafePointer<UInt16> { unsafe UnsafePointer(levelStorage.row(0)) }
}
