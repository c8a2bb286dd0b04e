import PreviewProtocol
import PreviewServer
import Testing

/// Requests, and what is none.
@Suite struct RequestTests {
  private static let bearer = "Authorization: Bearer \(TestServer.token)"
  private static let json = [bearer, "Content-Type: application/json"]

  @Test func theStateIsTheRenderers() throws {
    let server = try TestServer()
    #expect(try server.answer("/api/v1/state").status == 503)
    server.renderer.send(.state(json: #"{"input":"é"}"#, counts: RenderingCounts()))
    let client = try server.client()
    var answer = TestAnswer(status: 0)
    for _ in 0..<100 where answer.status != 200 {
      client.request("/api/v1/state")
      answer = try client.answer()
    }
    #expect(answer.body == #"{"input":"é"}"#)
    #expect(answer["content-type"] == "application/json")
  }

  @Test func answersSayWhatBrowsersMayDo() throws {
    let server = try TestServer()
    for headers in [[Self.bearer], []] {
      let answer = try server.answer("/", headers)
      #expect(answer["x-content-type-options"] == "nosniff")
      #expect(answer["referrer-policy"] == "no-referrer")
      #expect(answer["cache-control"] == "no-store")
      #expect(answer["cross-origin-resource-policy"] == "same-origin")
      #expect(answer["cross-origin-opener-policy"] == "same-origin")
      #expect(answer["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
    }
  }

  @Test func aPatchIsTheRenderersToAnswer() throws {
    let server = try TestServer()
    let client = try server.client()
    client.request("/api/v1/state", Self.json, method: "PATCH", body: #"{"paused":true}"#)
    let asked = try #require(server.renderer.nextRequest())
    #expect(asked.request == ServerRequest(.patch, body: #"{"paused":true}"#))
    server.renderer.send(
      .answer(request: asked.id, ServerAnswer(status: 422, contentType: "application/json", bytes: Array("{}".utf8))))
    let answer = try client.answer()
    #expect(answer.status == 422)
    #expect(answer.body == "{}")
  }

  @Test func patchesThatAreNoneAreRefused() throws {
    let server = try TestServer()
    let target = "/api/v1/state"
    #expect(try server.answer(target, [Self.bearer], method: "PATCH", body: "{}").status == 415)
    #expect(
      try server.answer(target, [Self.bearer, "Content-Type: text/plain"], method: "PATCH", body: "{}").status == 415)
    #expect(try server.answer(target, Self.json + ["Content-Length: 0"], method: "PATCH").status == 400)
    #expect(try server.answer(target, Self.json + ["Content-Length: 65537"], method: "PATCH").status == 413)
    let chunk = "ffff\r\n" + String(repeating: "a", count: 65_535) + "\r\n"
    #expect(
      try server.answer(
        target, Self.json + ["Transfer-Encoding: chunked", "Extra: \r\n\r\n\(chunk)\(chunk)"], method: "PATCH"
      )
      .status == 413)
    #expect(
      try server.answer(target, Self.json + ["Content-Length: 1", "Content-Length: 2"], method: "PATCH").status == 400)
    #expect(server.renderer.rest.isEmpty)
  }

  @Test func aReadOnlyPreviewIsNotChanged() throws {
    let server = try TestServer { $0.isReadOnly = true }
    #expect(try server.answer("/api/v1/state", Self.json, method: "PATCH", body: "{}").status == 403)
    #expect(server.renderer.rest.isEmpty)
  }

  @Test func picturesComeWithTheirNameAndWhatTheyAre() throws {
    let server = try TestServer()
    let client = try server.client()
    client.request("/api/v1/frame.png?width=640&display=a%20b+c&codecs=")
    let asked = try #require(server.renderer.nextRequest())
    #expect(asked.request == ServerRequest(.png, query: ["width": "640", "display": "a b c", "codecs": ""]))
    // More than a connection holds at a time.
    let bytes = [UInt8](repeating: 0x61, count: 5 << 20)
    server.renderer.send(
      .answer(
        request: asked.id,
        ServerAnswer(
          contentType: "image/png", fileName: "é\r\n.png", description: #"{"display":"Grün 😀"}"#, bytes: bytes)))
    let answer = try client.answer()
    #expect(answer.body.utf8.count == bytes.count)
    #expect(answer["content-disposition"] == "attachment; filename=\"___.png\"; filename*=UTF-8''%C3%A9%0D%0A.png")
    #expect(answer["headroom-stream"] == #"{"display":"Gr\u00fcn \ud83d\ude00"}"#)
  }

  @Test func picturesAreLimited() throws {
    var limits = Limits()
    limits.pictures = 1
    let server = try TestServer(limits: limits)
    let client = try server.client()
    client.request("/api/v1/frame.exr")
    let asked = try #require(server.renderer.nextRequest())
    #expect(try server.answer("/api/v1/frame.avif").status == 503)
    client.close()
    // Who has gone holds nobody up; the answer that comes too late is nobody's.
    let next = try server.client()
    var status = 503
    for _ in 0..<100 where status == 503 {
      next.request("/api/v1/frame.avif")
      guard let again = server.renderer.nextRequest() else { break }
      server.renderer.send(.answer(request: asked.id, ServerAnswer(contentType: "a/b", bytes: [])))
      server.renderer.send(.answer(request: again.id, ServerAnswer(status: 204, contentType: "a/b", bytes: [])))
      status = try next.answer().status
    }
    #expect(status == 204)
  }

  @Test func thereIsNothingBesides() throws {
    let server = try TestServer()
    let paths = [
      "/api", "/api/v1", "/api/v1/", "/api/v1/state/", "/api/v1//state", "//", "/./", "/..", "/../etc/passwd",
      "/api/v1/../v1/state", "/%2e%2e/", "/api%2fv1/state", "/api/v1/stat%65", "/Page.html", "/API/V1/STATE",
      "/api/v1/frame.jpg", "/\\", "/;", "/api/v1/state;a",
    ]
    for path in paths { #expect(try server.answer(path).status == 404, "\(path)") }
    for target in ["http://127.0.0.1/", "*", "api/v1/state", "/#a"] {
      #expect(try server.answer(target).status == 400, "\(target)")
    }
    #expect(try server.answer("127.0.0.1:1", method: "CONNECT").status == 400)
    for method in ["OPTIONS", "POST", "DELETE", "PUT", "TRACE"] {
      let answer = try server.answer("/api/v1/stream", method: method)
      #expect(answer.status == 405, "\(method)")
      #expect(answer["allow"] == "GET")
    }
    // The answer to HEAD has no body, so that the next one is not taken for it.
    let client = try server.client()
    client.request("/api/v1/state", method: "HEAD")
    #expect(try client.head()["content-length"] != "0")
    client.request("/nothing")
    #expect(try client.answer().status == 404)
    #expect(try server.answer("/api/v1/state", method: "POST")["allow"] == "GET, PATCH")
    #expect(server.renderer.rest.isEmpty)
  }

  @Test(arguments: ["x=1&x=2", "%zz=1", "x=%ff", "x=%", "=1", "x=%c0%80"])
  func queriesThatAreNoneAreRefused(_ query: String) throws {
    let server = try TestServer()
    #expect(try server.answer("/api/v1/pixel?\(query)").status == 400)
    #expect(try server.answer("/api/v1/stream?\(query)").status == 400)
    #expect(try server.answer("/?\(query)").status == 400)
    #expect(server.renderer.rest.isEmpty)
  }

  @Test func whatIsTooLargeIsRefused() throws {
    let server = try TestServer()
    let long = String(repeating: "a", count: 17_000)
    #expect(try server.answer("/", [Self.bearer, "A: \(long)"]).status == 431)
    #expect(try server.answer("/\(long)").status == 431)
    #expect(try server.answer("/" + long.prefix(5000)).status == 400)
    let many = (0..<200).map { "A\($0): b" }
    #expect(try server.answer("/", [Self.bearer] + many).status == 431)
    let client = try server.client()
    client.send("GET / HTTP/1.1\r\n" + String(repeating: "A: \(String(repeating: " ", count: 4000))\r\n", count: 20))
    #expect(try client.answer().status == 431)
    #expect(client.hasEnded)
  }

  @Test(arguments: [
    "\u{16}\u{3}\u{1}", "GET\r\n\r\n", "GET / HTTP/3.0\r\n\r\n", "\r\n\r\nX", "GET / HTTP/1.1\r\nA b\r\n\r\n",
  ])
  func whatIsNoRequestIsRefused(_ text: String) throws {
    let server = try TestServer()
    let client = try server.client()
    client.send(text)
    #expect([400, 505].contains(try client.answer().status))
    #expect(client.hasEnded)
  }

  @Test func slowRequestsEnd() throws {
    var limits = Limits()
    (limits.headSeconds, limits.bodySeconds) = (0.1, 0.1)
    let server = try TestServer(limits: limits)
    let (silent, head, body) = (try server.client(), try server.client(), try server.client())
    head.send("GET / HT")
    body.request("/api/v1/state", Self.json + ["Content-Length: 5"], method: "PATCH")
    #expect(silent.hasEnded)
    #expect(try head.answer().status == 408)
    #expect(try body.answer().status == 408)
  }

  @Test func requestsInARowAreAnsweredInOrder() throws {
    let server = try TestServer()
    let client = try server.client()
    for target in ["/api/v1/pixel?x=0&y=0", "/nothing", "/api/v1/metrics"] { client.request(target) }
    let asked = try #require(server.renderer.nextRequest())
    server.renderer.send(.answer(request: asked.id, ServerAnswer(status: 200, contentType: "a/b", bytes: [])))
    #expect(try [client.answer().status, client.answer().status, client.answer().status] == [200, 404, 200])
  }

  @Test func theRendererMustAnswer() throws {
    var limits = Limits()
    limits.answerSeconds = 0.1
    let server = try TestServer(limits: limits)
    let (first, second) = (try server.client(), try server.client())
    first.request("/api/v1/pixel?x=0&y=0")
    second.request("/api/v1/stream")
    #expect(try first.answer().status == 503)
    #expect(try second.answer().status == 503)
    #expect(server.renderer.nextFarewell() == 1)
  }
}
