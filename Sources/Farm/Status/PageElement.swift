/// An element of HTML, whose text is escaped whatever it holds; well-formed XML too.
struct PageElement {
  private enum Child {
    case element(PageElement)
    case text(String)
    /// Style rules, whose text HTML does not unescape: our own only.
    case style(String)
  }

  private let name: String
  private let attributes: [(name: String, value: String)]
  private var children: [Child] = []

  /// - Parameters:
  ///   - attributes: Names are our own; values are anyone's.
  ///   - text: Anyone's.
  init(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ text: String = "") {
    self.name = name
    self.attributes = attributes.map { ($0.key, $0.value) }
    if !text.isEmpty { children = [.text(text)] }
  }

  init(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ elements: [PageElement]) {
    self.init(name, attributes)
    children = elements.map { .element($0) }
  }

  /// - Parameter rules: Without "<" and "&".
  static func style(_ rules: String) -> PageElement {
    var element = PageElement("style")
    element.children = [.style(rules)]
    return element
  }

  private static let empty: Set<String> = ["img", "link", "meta"]
  /// Begin a line, so that the page can be read as text.
  private static let blocks: Set<String> = [
    "body", "div", "figure", "h1", "h2", "head", "li", "link", "main", "meta", "p", "section", "style", "table",
    "title",
    "tr", "ul",
  ]

  func write(to text: inout String) {
    if Self.blocks.contains(name) { text += "\n" }
    text += "<\(name)"
    for attribute in attributes {
      text += " \(attribute.name)=\""
      Self.escape(attribute.value, into: &text)
      text += "\""
    }
    if Self.empty.contains(name) {
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
    for scalar in content.unicodeScalars {
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
}
