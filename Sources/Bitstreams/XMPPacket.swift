/// Properties of an XMP packet, as attributes or elements, by name; read in one pass, in linear time. Source: XMP
/// Specification Part 1 (2012), 7.
package struct XMPPacket {
  package struct Element {
    package let name: String
    package let attributes: [(name: String, value: String)]
    /// The text, or the text of the list's items.
    package fileprivate(set) var values: [String] = []

    package func attribute(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
  }

  /// In order of their start tags.
  private let elements: [Element]

  /// Elements of RDF that hold the values of the property around them.
  private static let containers: Set = ["rdf:li", "rdf:Seq", "rdf:Bag", "rdf:Alt"]

  package init(_ text: String) {
    var rest = Array(text.utf8)[...]
    var elements: [Element] = []
    var open: [(name: String, property: Int)] = []
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      let content = Self.trimmed(rest[..<start])
      if let property = open.last?.property, !content.isEmpty { elements[property].values.append(content) }
      rest = rest[(start + 1)...]
      guard let tag = Self.takeTag(&rest) else { break }
      if tag.first == UInt8(ascii: "/") {
        if open.last?.name == Self.trimmed(tag.dropFirst()) { open.removeLast() }
        continue
      }
      let element = Self.element(tag)
      elements.append(element)
      if tag.last == UInt8(ascii: "/") { continue }
      let around = Self.containers.contains(element.name) ? open.last?.property : nil
      open.append((element.name, around ?? elements.count - 1))
    }
    self.elements = elements
  }

  /// The packet's prefix of a namespace.
  package func prefix(of namespace: String) -> String? {
    let start = "xmlns:"
    let attributes = elements.lazy.flatMap(\.attributes)
    return attributes.first { $0.value == namespace && $0.name.hasPrefix(start) }.map {
      String($0.name.dropFirst(start.count))
    }
  }

  /// The values of a property, several if it is a list; nil if missing.
  /// - Parameter name: Name including its prefix.
  package func values(_ name: String) -> [String]? {
    for element in elements {
      if let value = element.attribute(name) { return [value] }
      if element.name == name { return element.values }
    }
    return nil
  }

  /// The single value of a property.
  package func value(_ name: String) -> String? { values(name)?.first }

  /// The elements with a name.
  /// - Parameter name: Name including its prefix.
  package func elements(_ name: String) -> [Element] { elements.filter { $0.name == name } }

  /// Takes the bytes up to the end of a tag; nil if it is unterminated.
  private static func takeTag(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var quote: UInt8?
    for (index, byte) in zip(rest.indices, rest) {
      if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if quote == nil, byte == UInt8(ascii: ">") {
        defer { rest = rest[(index + 1)...] }
        return rest[..<index]
      }
    }
    return nil
  }

  private static func element(_ tag: ArraySlice<UInt8>) -> Element {
    let name = tag.prefix { !isSpace($0) && $0 != UInt8(ascii: "/") }
    var rest = tag.dropFirst(name.count)
    var attributes: [(name: String, value: String)] = []
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let name = trimmed(rest[..<equals])
      let quoted = rest[(equals + 1)...].drop(while: isSpace)
      guard let quote = quoted.first, let end = quoted.dropFirst().firstIndex(of: quote) else { break }
      attributes.append((name, String(decoding: quoted[(quoted.startIndex + 1)..<end], as: UTF8.self)))
      rest = rest[(end + 1)...]
    }
    return Element(name: String(decoding: name, as: UTF8.self), attributes: attributes)
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> String {
    guard let first = bytes.firstIndex(where: { !isSpace($0) }), let last = bytes.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}
