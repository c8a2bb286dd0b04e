/// A self-contained HTML page without scripts or external resources.
package struct Page: Sendable {
  private let title: String
  private let rules: String
  private let refresh: Int?
  private let content: [Markup]

  /// A page with the style of reports.
  /// - Parameters:
  ///   - title: Anyone's text.
  ///   - style: Rules after those of `PageStyle`: our own only.
  ///   - content: What its main part holds.
  package init(title: String, style: String = "", content: [Markup]) {
    self.init(title: title, rules: PageStyle.rules + style, content: content)
  }

  /// A page with a style of its own.
  /// - Parameters:
  ///   - title: Anyone's text.
  ///   - rules: All rules of its style: our own only.
  ///   - refresh: Seconds after which a browser loads it again; nil: it does not.
  ///   - content: What its main part holds.
  package init(title: String, rules: String, refresh: Int? = nil, content: [Markup]) {
    (self.title, self.rules, self.refresh, self.content) = (title, rules, refresh, content)
  }

  /// The whole page, also well-formed as XML.
  package var html: String {
    let body = Markup("body", [:], [Markup("main", [:], content)])
    return "<!DOCTYPE html>" + Markup("html", ["lang": "en"], [head, body]).text + "\n"
  }

  /// No requests, not even for an icon, and no scripts.
  private var head: Markup {
    let policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    let reload = refresh.map { [Markup("meta", ["http-equiv": "refresh", "content": "\($0)"])] } ?? []
    return Markup(
      "head", [:],
      [
        Markup("meta", ["charset": "utf-8"]),
        Markup("meta", ["http-equiv": "Content-Security-Policy", "content": policy]),
        Markup("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
        Markup("meta", ["name": "color-scheme", "content": "light dark"]),
      ] + reload + [
        Markup("link", ["rel": "icon", "href": "data:,"]), Markup("title", [:], title),
        .style(rules),
      ])
  }
}
