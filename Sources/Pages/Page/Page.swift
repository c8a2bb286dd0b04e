package import Markup

/// A self-contained HTML page without scripts or external resources.
package struct Page: Sendable {
  private let title: String
  private let style: String
  private let content: [Markup]

  /// - Parameters:
  ///   - title: Anyone's text.
  ///   - style: Rules after those of `PageStyle`: our own only.
  ///   - content: What its main part holds.
  package init(title: String, style: String = "", content: [Markup]) {
    self.title = title
    self.style = style
    self.content = content
  }

  /// The whole page, also well-formed as XML.
  package var html: String {
    let body = Markup("body", [:], [Markup("main", [:], content)])
    return "<!DOCTYPE html>" + Markup("html", ["lang": "en"], [head, body]).text + "\n"
  }

  /// No requests, not even for an icon, and no scripts.
  private var head: Markup {
    let policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    return Markup(
      "head", [:],
      [
        Markup("meta", ["charset": "utf-8"]),
        Markup("meta", ["http-equiv": "Content-Security-Policy", "content": policy]),
        Markup("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        Markup("meta", ["name": "color-scheme", "content": "light dark"]),
        Markup("link", ["rel": "icon", "href": "data:,"]), Markup("title", [:], title),
        .style(PageStyle.rules + style),
      ])
  }
}
