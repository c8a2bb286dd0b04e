internal import NIOCore
internal import NIOHTTP1

/// A response with a complete body.
struct Response: Sendable {
  var status: HTTPResponseStatus
  var headers = HTTPHeaders()
  var body = ByteBuffer()

  init(_ status: HTTPResponseStatus) { self.status = status }

  init(_ status: HTTPResponseStatus = .ok, contentType: String, body: ByteBuffer) {
    (self.status, self.body) = (status, body)
    headers.add(name: "Content-Type", value: contentType)
  }

  init(_ refusal: Refusal) {
    if refusal.isPage {
      let text = PageContent.message(refusal.sentence)
      self.init(refusal.status, contentType: "text/html; charset=utf-8", body: ByteBuffer(string: text))
    } else {
      let text = #"{"error": "\#(refusal.sentence)"}"# + "\n"
      self.init(refusal.status, contentType: "application/json", body: ByteBuffer(string: text))
    }
    headers.add(contentsOf: refusal.headers)
  }

  /// Adds the headers of every response: no caching, no content sniffing, and no access for other pages.
  static func addStanding(to headers: inout HTTPHeaders) {
    let standing = [
      ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Resource-Policy", "same-origin"), ("Cross-Origin-Opener-Policy", "same-origin"),
      ("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    ]
    for (name, value) in standing where !headers.contains(name: name) { headers.add(name: name, value: value) }
  }

  /// The whole response, with the connection closing after it.
  var closing: ByteBuffer {
    var headers = headers
    Self.addStanding(to: &headers)
    headers.replaceOrAdd(name: "Content-Length", value: String(body.readableBytes))
    headers.replaceOrAdd(name: "Connection", value: "close")
    var bytes = ByteBuffer(string: "HTTP/1.1 \(status.code) \(status.reasonPhrase)\r\n")
    for (name, value) in headers { bytes.writeString("\(name): \(value)\r\n") }
    bytes.writeString("\r\n")
    bytes.writeImmutableBuffer(body)
    return bytes
  }
}
