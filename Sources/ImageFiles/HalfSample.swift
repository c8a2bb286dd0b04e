/// Conversion of half floats from files to finite samples.
enum HalfSample {
  /// NaN becomes 0, infinities the largest half float; others are unchanged.
  static func finite(_ bits: UInt16) -> UInt16 {
    let exponent: UInt16 = 0x7C00
    if bits & exponent != exponent { return bits }
    return bits & ~exponent & 0x7FFF != 0 ? 0 : bits & 0x8000 | 0x7BFF
  }

  /// The nearest half float, by the same rules.
  static func bits(_ value: Float) -> UInt16 { finite(Float16(value).bitPattern) }
}
