/// Path and query of a request in origin form (RFC 9112, 3.2.1).
struct RequestTarget: Hashable, Sendable {
  /// The first part of the path if it has the form of a token: a request can carry it there.
  let secret: String?
  /// The path, without the secret, as it came: none that is served has anything to decode.
  let path: String
  /// As it came, without the question mark.
  let query: Substring

  /// - Returns: Nil for other forms, such as those of proxies.
  init?(_ target: String, limits: Limits) {
    guard target.utf8.first == UInt8(ascii: "/"), target.utf8.count <= limits.targetBytes,
      target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
    else { return nil }
    let end = target.firstIndex(of: "?") ?? target.endIndex
    let whole = target[..<end]
    let first = whole.dropFirst().prefix { $0 != "/" }
    secret = ServerToken.isOne(first) ? String(first) : nil
    path = secret == nil ? String(whole) : "/" + whole.dropFirst(first.count + 2)
    query = target[end...].dropFirst()
  }

  /// Most items that a query may have.
  private static let mostItems = 32

  /// The items of the query.
  /// - Returns: Nil if one is there twice, has no name, or is not UTF-8.
  var items: [String: String]? {
    var items: [String: String] = [:]
    for item in query.split(separator: "&", omittingEmptySubsequences: true) {
      let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(parts[0]), !name.isEmpty, items[name] == nil, items.count < Self.mostItems,
        let value = parts.count == 2 ? Self.decoded(parts[1]) : ""
      else { return nil }
      items[name] = value
    }
    return items
  }

  /// Percent-encoding undone, and plus signs, as forms have it.
  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): bytes.append(0x20)
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
