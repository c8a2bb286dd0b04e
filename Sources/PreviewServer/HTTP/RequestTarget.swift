/// The path and query of a request in origin form (RFC 9112, 3.2.1).
struct RequestTarget: Hashable, Sendable {
  /// The first path segment if it has the form of a token.
  let secret: String?
  /// The raw path without the secret: no served path needs decoding.
  let path: String
  /// The raw query, without the question mark.
  let query: Substring

  /// - Returns: nil for other forms, such as those for proxies.
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

  /// Maximum number of query items.
  private static let mostItems = 32

  /// The query items.
  /// - Returns: nil if an item is repeated, has no name, or is not UTF-8.
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

  /// Decodes percent-encoding and plus signs, as in forms.
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
