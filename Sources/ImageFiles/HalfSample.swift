/// The bits of half floats as files have them, and as frames do: numbers only.
enum HalfSample {
  /// What is not a number becomes 0, infinities the largest half float; others stay as they are.
  static func finite(_ bits: UInt16) -> UInt16 {
    let exponent: UInt16 = 0x7C00
    if bits & exponent != exponent { return bits }
    return bits & ~exponent & 0x7FFF != 0 ? 0 : bits & 0x8000 | 0x7BFF
  }

  /// The nearest half float, by the same rules.
  static func bits(_ value: Float) -> UInt16 { finite(Float16(value).bitPattern) }
}
