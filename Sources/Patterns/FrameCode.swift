/// The number of a frame as black and white cells, with a check, for machines.
///
/// Eight columns by four rows: 24 bits of the number, most significant first, row by row, then eight bits of a CRC.
public enum FrameCode {
  /// Cells in a row.
  public static let columns = 8
  /// Rows of cells.
  public static let rows = 4
  /// Numbers begin again after this many.
  public static let modulus = 1 << 24

  /// Which cells are white, row by row.
  public static func cells(_ number: Int) -> [Bool] {
    let number = ((number % modulus) + modulus) % modulus
    let word = number << 8 | Int(check(number))
    return (0..<columns * rows).map { word >> (columns * rows - 1 - $0) & 1 == 1 }
  }

  /// The number that cells stand for; nil where the check fails.
  /// - Parameter cells: `columns * rows` of them, row by row.
  public static func number(_ cells: [Bool]) -> Int? {
    guard cells.count == columns * rows else { return nil }
    let word = cells.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    let number = word >> 8
    return check(number) == UInt8(word & 0xFF) ? number : nil
  }

  /// CRC of the three bytes, never that of nothing but black cells: 0 has another check than 0.
  /// Source: CRC-8/ROHC, polynomial x^8 + x^2 + x + 1, begun with 0xFF.
  private static func check(_ number: Int) -> UInt8 {
    var sum: UInt8 = 0xFF
    for shift in [16, 8, 0] {
      sum ^= UInt8(number >> shift & 0xFF)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xE0 : sum >> 1 }
    }
    return sum
  }
}
