internal import Foundation

/// Properties of an XMP packet, as attributes or elements, by name.
///
/// Source: XMP Specification Part 1 (2012), 7.
struct XMPPacket {
  let text: Substring

  init(_ text: some StringProtocol) { self.text = Substring(text) }

  /// The packet's prefix for a namespace.
  func prefix(of namespace: String) -> String? {
    guard let name = text.range(of: "=\"\(namespace)\"") ?? text.range(of: "='\(namespace)'"),
      let start = text.range(of: "xmlns:", options: .backwards, range: text.startIndex..<name.lowerBound)
    else { return nil }
    return String(text[start.upperBound..<name.lowerBound]).trimmingCharacters(in: .whitespaces)
  }

  /// The values of a property, several if it is a list; nil if it is missing.
  /// - Parameter name: Name including its prefix.
  func values(_ name: String) -> [String]? {
    var rest = text
    while let found = rest.range(of: name) {
      let isElement = found.lowerBound > rest.startIndex && rest[rest.index(before: found.lowerBound)] == "<"
      rest = rest[found.upperBound...]
      if isElement, let values = Self.items(rest, name) { return values }
      if let value = Self.attribute(rest) { return [value] }
    }
    return nil
  }

  /// The single value of a property.
  func value(_ name: String) -> String? { values(name)?.first }

  /// Attributes of each element with a name.
  /// - Parameter name: Name including its prefix.
  func elements(_ name: String) -> [XMPPacket] {
    text.components(separatedBy: "<" + name).dropFirst().map { piece in XMPPacket(piece.prefix { $0 != ">" }) }
  }

  /// The value of an attribute whose name ends before `rest`.
  private static func attribute(_ rest: Substring) -> String? {
    let value = rest.drop { $0.isWhitespace }
    guard value.first == "=" else { return nil }
    let quoted = value.dropFirst().drop { $0.isWhitespace }
    guard let quote = quoted.first, quote == "\"" || quote == "'" else { return nil }
    return String(quoted.dropFirst().prefix { $0 != quote })
  }

  /// The values of an element whose name ends before `rest`.
  private static func items(_ rest: Substring, _ name: String) -> [String]? {
    guard let next = rest.first, next == ">" || next.isWhitespace, let start = rest.firstIndex(of: ">"),
      let end = rest.range(of: "</" + name)
    else { return nil }
    guard start < end.lowerBound else { return nil }
    let content = rest[rest.index(after: start)..<end.lowerBound]
    let pieces = content.components(separatedBy: "<rdf:li").dropFirst()
    let texts = pieces.isEmpty ? [String(content)] : pieces.map { String($0.drop { $0 != ">" }.dropFirst()) }
    return texts.map { $0.prefix { $0 != "<" }.trimmingCharacters(in: .whitespacesAndNewlines) }
  }
}
