/// The host and port of a request (RFC 9110, 7.2).
struct Authority: Hashable, Sendable {
  /// Lower case, without brackets.
  let host: String
  let port: Int?

  /// - Parameter text: The value of `Host`; nil if it is invalid.
  init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= 255, text.utf8.allSatisfy({ Self.allowed.contains($0) }) else { return nil }
    let end = text.hasPrefix("[") ? text.firstIndex(of: "]").map { text.index(after: $0) } : text.firstIndex(of: ":")
    if text.hasPrefix("["), end == nil { return nil }
    let name = text[..<(end ?? text.endIndex)]
    let rest = text[(end ?? text.endIndex)...]
    if rest.isEmpty {
      port = nil
    } else {
      let digits = rest.dropFirst()
      guard rest.first == ":", (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ (48...57).contains($0) }),
        let number = Int(digits)
      else { return nil }
      port = number
    }
    guard !name.isEmpty else { return nil }
    host = NumericHost.normalized(String(name))
  }

  /// Letters, digits, and punctuation of names and addresses.
  private static let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:[]".utf8)
}
