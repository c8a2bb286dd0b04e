/// What every request must carry.
struct ServerToken: Sendable {
  private let bytes: [UInt8]

  /// - Returns: Nil if it is not 128 bits in hexadecimal.
  init?(_ text: String) {
    guard Self.isOne(text) else { return nil }
    bytes = Array(text.utf8)
  }

  /// Whether a text has the form of one.
  static func isOne(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy { digits.contains($0) }
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
