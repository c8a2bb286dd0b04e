internal import HTMLReports
internal import NIOCore
internal import NIOHTTP1

/// The server's built-in content.
enum PageContent {
  /// The OpenAPI description.
  static let description = ByteBuffer(bytes: PackageResources.OpenAPI_json)

  /// The page, split where its script and style begin.
  private static let pieces: [(text: String, isCode: Bool)] = {
    let page = String(decoding: PackageResources.Page_html, as: UTF8.self)
    var (pieces, rest) = ([(text: String, isCode: Bool)](), page[...])
    while let mark = ["<script>", "<style>"].compactMap({ rest.firstRange(of: $0) }).min(by: {
      $0.lowerBound < $1.lowerBound
    }) {
      let end = rest.index(before: mark.upperBound)
      pieces.append((String(rest[..<end]), true))
      rest = rest[end...]
    }
    return pieces + [(String(rest), false)]
  }()

  /// Returns a page that contains only a sentence.
  static func message(_ sentence: String) -> String {
    let head = Markup(
      "head", [:],
      [
        Markup("meta", ["charset": "utf-8"]), Markup("meta", ["name": "viewport", "content": "width=device-width"]),
        Markup("title", [:], "Headroom"),
      ])
    let page = Markup("html", ["lang": "en"], [head, Markup("body", [:], [Markup("p", [:], sentence)])])
    return "<!DOCTYPE html>\n" + page.text + "\n"
  }

  /// Returns the page; only script and style with its nonce are executed.
  /// - Parameter title: A prefix for the page title, unless empty.
  static func page(title: String) -> Response {
    let random = (0..<4).map { _ in String(UInt32.random(in: 0...(.max)), radix: 16) }
    let nonce = random.map { String(repeating: "0", count: 8 - $0.count) + $0 }.joined()
    var text = pieces.map { $0.isCode ? "\($0.text) nonce=\"\(nonce)\"" : $0.text }.joined()
    if !title.isEmpty, let start = text.firstRange(of: "<title>"), let end = text.firstRange(of: "</title>") {
      let own = text[start.upperBound..<end.lowerBound]
      text.replaceSubrange(start.lowerBound..<end.upperBound, with: Markup("title", [:], "\(title) – \(own)").text)
    }
    var response = Response(contentType: "text/html; charset=utf-8", body: ByteBuffer(string: text))
    let policy = [
      "default-src 'none'", "script-src 'nonce-\(nonce)'", "style-src 'nonce-\(nonce)'", "img-src 'self' blob: data:",
      "media-src 'self' blob:", "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
    ]
    response.headers.add(name: "Content-Security-Policy", value: policy.joined(separator: "; "))
    return response
  }
}
