/// A self-contained HTML page without scripts or external resources.
package struct Page: Sendable {
  private let title: String
  private let rules: String
  private let refresh: Int?
  private let content: [Markup]

  /// Creates a page in the style of reports.
  /// - Parameters:
  ///   - title: May be untrusted.
  ///   - style: Additional rules after `PageStyle`: must be trusted.
  ///   - content: The content of the main element.
  package init(title: String, style: String = "", content: [Markup]) {
    self.init(title: title, rules: PageStyle.rules + style, content: content)
  }

  /// Creates a page with a custom style.
  /// - Parameters:
  ///   - title: May be untrusted.
  ///   - rules: The complete style rules: must be trusted.
  ///   - refresh: Reload interval in seconds; nil: none.
  ///   - content: The content of the main element.
  package init(title: String, rules: String, refresh: Int? = nil, content: [Markup]) {
    (self.title, self.rules, self.refresh, self.content) = (title, rules, refresh, content)
  }

  /// The complete page, also well-formed as XML.
  package var html: String {
    let body = Markup("body", [:], [Markup("main", [:], content)])
    return "<!DOCTYPE html>" + Markup("html", ["lang": "en"], [head, body]).text + "\n"
  }

  /// Allows no scripts and no requests, not even for an icon.
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
