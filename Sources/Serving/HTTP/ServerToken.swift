/// What every request must carry.
struct ServerToken: Sendable {
  private let bytes: [UInt8]

  /// - Returns: Nil if it is not 128 bits in hexadecimal.
  init?(_ text: String) {
    bytes = Array(text.utf8)
    guard bytes.count == 32, text.utf8.allSatisfy({ Self.digits.contains($0) }) else { return nil }
  }

  /// Takes the same time wherever the first difference is.
  func isEqual(to other: some StringProtocol) -> Bool {
    let other = Array(other.utf8.prefix(bytes.count + 1))
    guard other.count == bytes.count else { return false }
    var difference: UInt8 = 0
    for index in bytes.indices { difference |= bytes[index] ^ other[index] }
    return difference == 0
  }

  private static let digits = Set("0123456789abcdefABCDEF".utf8)
}
