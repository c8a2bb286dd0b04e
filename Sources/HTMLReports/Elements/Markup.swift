/// An element of HTML or SVG, written so that it is well-formed XML too. Whatever text it holds is escaped.
package struct Markup: Sendable {
  private enum Child: Sendable {
    case element(Markup)
    case text(String)
    /// Style sheets, whose text HTML does not unescape: our own only.
    case style(String)
  }

  /// Of the element.
  package let name: String
  private let attributes: [(name: String, value: String)]
  private var children: [Child]

  /// An element that holds text.
  /// - Parameters:
  ///   - attributes: Names are our own; values are anyone's.
  ///   - text: Anyone's.
  package init(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ text: String = "") {
    self.name = name
    self.attributes = attributes.map { ($0.key, $0.value) }
    children = text.isEmpty ? [] : [.text(text)]
  }

  /// An element that holds elements.
  package init(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ children: [Markup]) {
    self.init(name, attributes)
    self.children = children.map { .element($0) }
  }

  /// An element of style rules.
  package static func style(_ rules: String) -> Markup {
    precondition(!rules.contains { $0 == "<" || $0 == "&" }, "rules have no markup")
    var element = Markup("style")
    element.children = [.style(rules)]
    return element
  }

  /// The element with text at its end.
  package func adding(_ text: String) -> Markup {
    var result = self
    result.children.append(.text(text))
    return result
  }

  /// The element with more elements at its end.
  package func adding(_ elements: [Markup]) -> Markup {
    var result = self
    result.children += elements.map { .element($0) }
    return result
  }

  /// The element as text.
  package var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// Elements of HTML without content or end tag.
  private static let empty: Set<String> = ["br", "img", "link", "meta"]
  /// Elements that begin a line, so that the page can be read as text.
  private static let blocks: Set<String> = [
    "article", "body", "div", "dl", "figure", "footer", "g", "h1", "h2", "head", "header", "li", "link", "main", "meta",
    "p", "section", "style", "svg", "table", "tbody", "thead", "title", "tr", "ul",
  ]

  private func write(to text: inout String) {
    if Self.blocks.contains(name) { text += "\n" }
    text += "<\(name)"
    for attribute in attributes {
      text += " \(attribute.name)=\""
      Self.escape(attribute.value, into: &text)
      text += "\""
    }
    guard !Self.empty.contains(name) else {
      text += "/>"
      return
    }
    text += ">"
    for child in children {
      switch child {
      case .element(let element): element.write(to: &text)
      case .text(let content): Self.escape(content, into: &text)
      case .style(let rules): text += rules
      }
    }
    text += "</\(name)>"
  }

  private static func escape(_ content: String, into text: inout String) {
    // Pictures are long, and have nothing to escape.
    if content.utf8.allSatisfy(isPlain) {
      text += content
      return
    }
    for scalar in content.visible.unicodeScalars {
      switch scalar {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }

  /// Printable ASCII that is no markup.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
    default: byte >= 0x20 && byte < 0x7F
    }
  }
}
