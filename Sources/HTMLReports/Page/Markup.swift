/// An HTML or SVG element, serialized as well-formed XML. Text is escaped.
package struct Markup: Sendable {
  private enum Child: Sendable {
    case element(Markup)
    case text(String)
    /// Style sheets, whose text HTML does not unescape: must be trusted.
    case style(String)
  }

  /// The element name.
  package let name: String
  private let attributes: [(name: String, value: String)]
  private var children: [Child]

  /// Creates an element with text.
  /// - Parameters:
  ///   - attributes: Names must be trusted; values may be untrusted.
  ///   - text: May be untrusted.
  package init(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ text: String = "") {
    self.name = name
    self.attributes = attributes.map { ($0.key, $0.value) }
    children = text.isEmpty ? [] : [.text(text)]
  }

  /// Creates an element with child elements.
  package init(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ children: [Markup]) {
    self.init(name, attributes)
    self.children = children.map { .element($0) }
  }

  /// Creates a style element.
  package static func style(_ rules: String) -> Markup {
    precondition(!rules.contains { $0 == "<" || $0 == "&" }, "rules have no markup")
    var element = Markup("style")
    element.children = [.style(rules)]
    return element
  }

  /// Returns the element with text appended.
  package func adding(_ text: String) -> Markup {
    var result = self
    result.children.append(.text(text))
    return result
  }

  /// Returns the element with child elements appended.
  package func adding(_ elements: [Markup]) -> Markup {
    var result = self
    result.children += elements.map { .element($0) }
    return result
  }

  /// The serialized element.
  package var text: String {
    var text = ""
    write(to: &text)
    return text
  }

  /// HTML elements without content or end tag.
  private static let empty: Set<String> = ["br", "img", "link", "meta"]
  /// Elements that start a new line, for a readable source.
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
    // Embedded pictures are long, and need no escaping.
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

  /// Returns whether a byte is printable ASCII other than markup.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
    default: byte >= 0x20 && byte < 0x7F
    }
  }

  /// A number shown prominently.
  package struct KeyFigure: Sendable {
    var name: String
    var value: String
    var unit: String

    /// - Parameter unit: Follows the value in small type.
    package init(_ name: String, _ value: String, _ unit: String = "") {
      self.name = name
      self.value = value
      self.unit = unit
    }
  }

  /// Returns a section with a heading.
  package static func section(_ title: String, _ content: [Markup]) -> Markup {
    Markup("section", [:], [Markup("h2", [:], title)] + content)
  }

  /// Returns a plot with a caption above it.
  package static func figure(_ plot: Plot, _ caption: String, kind: String, hasTitle: Bool = true) -> Markup {
    let words = (hasTitle ? [Markup("strong", [:], plot.title)] : []) + [Markup("span", [:], caption)]
    return Markup("figure", ["class": kind], [Markup("figcaption", [:], words), plot.markup])
  }

  /// Returns a list of names and values.
  package static func facts(_ facts: [(name: String, value: String)]) -> Markup {
    Markup("dl", ["class": "facts"], facts.flatMap { [Markup("dt", [:], $0.name), Markup("dd", [:], $0.value)] })
  }

  /// Returns a list of key figures.
  package static func keyFigures(_ figures: [KeyFigure]) -> Markup {
    let parts = figures.map { figure in
      let value = [Markup("strong", [:], figure.value), Markup("span", [:], figure.unit)]
      return Markup("div", [:], [Markup("dt", [:], figure.name), Markup("dd", [:], value)])
    }
    return Markup("dl", ["class": "key"], parts)
  }

  /// Returns the result in a word or two, marked as good or bad, with an explanation beside it.
  package static func verdict(_ words: String, isGood: Bool, _ aside: String) -> Markup {
    Markup(
      "p", ["class": isGood ? "verdict passed" : "verdict failed"],
      [Markup("strong", [:], (isGood ? "✓ " : "✕ ") + words), Markup("span", [:], aside)])
  }

  /// Returns a list of sentences.
  package static func notes(_ notes: [String]) -> Markup {
    Markup("ul", ["class": "notes"], notes.map { Markup("li", [:], $0) })
  }

  /// Returns the head of a page: what it is about, its title, and what follows.
  package static func header(_ overline: String, _ title: String, _ content: [Markup]) -> Markup {
    Markup("header", [:], [Markup("p", ["class": "overline"], overline), Markup("h1", [:], title)] + content)
  }

  package static func footer(_ text: String) -> Markup { Markup("footer", [:], [Markup("p", [:], text)]) }

  /// Returns a table cell; `kind` is its class.
  package static func cell(_ text: String, _ kind: String = "") -> Markup {
    Markup("td", kind.isEmpty ? [:] : ["class": kind], text)
  }

  /// Returns the heads of columns, the last one of results; the column named `text` is left-aligned.
  package static func columnHeads(_ titles: [String], text: String) -> Markup {
    Markup("tr", [:], titles.map { columnHead($0, $0 == text ? "text" : "") } + [resultHead])
  }

  /// Returns a column head; `kind` is its class.
  package static func columnHead(_ text: String, _ kind: String = "") -> Markup {
    Markup("th", kind.isEmpty ? ["scope": "col"] : ["scope": "col", "class": kind], text)
  }

  /// The head of the column with the results of rows.
  package static let resultHead = Markup("th", ["scope": "col", "aria-label": "result"])

  /// Returns a table that scrolls sideways on a narrow page, and can be scrolled with the keyboard.
  package static func table(_ name: String, heads: [Markup], bodies: [Markup]) -> Markup {
    let table = Markup("table", [:], [Markup("thead", [:], heads)] + bodies)
    return Markup(
      "div", ["class": "scrolling", "tabindex": "0", "role": "region", "aria-label": "Table: \(name)"], [table])
  }
}
