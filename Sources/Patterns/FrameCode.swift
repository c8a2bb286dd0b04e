/// A machine-readable frame number as black and white cells, with a checksum.
///
/// Eight columns by four rows: 24 bits of the number, most significant first, row by row, then eight bits of a CRC.
public enum FrameCode {
  /// Cells in a row.
  public static let columns = 8
  /// Rows of cells.
  public static let rows = 4
  /// Numbers wrap around at this value.
  public static let modulus = 1 << 24

  /// Which cells are white, row by row.
  public static func cells(_ number: Int) -> [Bool] {
    let number = ((number % modulus) + modulus) % modulus
    let word = number << 8 | Int(check(number))
    return (0..<columns * rows).map { word >> (columns * rows - 1 - $0) & 1 == 1 }
  }

  /// Decodes the number from cells; nil if the checksum is wrong.
  /// - Parameter cells: `columns * rows` cells, row by row.
  public static func number(_ cells: [Bool]) -> Int? {
    guard cells.count == columns * rows else { return nil }
    let word = cells.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    let number = word >> 8
    return check(number) == UInt8(word & 0xFF) ? number : nil
  }

  /// CRC of the three bytes, which is non-zero for 0, so that an all-black code is invalid.
  /// Source: CRC-8/ROHC, polynomial x^8 + x^2 + x + 1, initial value 0xFF.
  private static func check(_ number: Int) -> UInt8 {
    var sum: UInt8 = 0xFF
    for shift in [16, 8, 0] {
      sum ^= UInt8(number >> shift & 0xFF)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xE0 : sum >> 1 }
    }
    return sum
  }
}
