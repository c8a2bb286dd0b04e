/// The token that every request must carry.
struct ServerToken: Sendable {
  private let bytes: [UInt8]

  /// - Returns: nil if it is not 128 bits in hexadecimal.
  init?(_ text: String) {
    guard Self.isOne(text) else { return nil }
    bytes = Array(text.utf8)
  }

  /// Returns whether a text has the form of a token.
  static func isOne(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { digits.contains($0) }
  }

  /// Compares in constant time.
  func isEqual(to other: some StringProtocol) -> Bool {
    let other = Array(other.utf8.prefix(bytes.count + 1))
    guard other.count == bytes.count else { return false }
    var difference: UInt8 = 0
    for index in bytes.indices { difference |= bytes[index] ^ other[index] }
    return difference == 0
  }

  private static let digits = Set("0123456789abcdefABCDEF".utf8)
}
