import ServerLink
import Serving
import Testing

/// Who is let in.
@Suite struct AdmissionTests {
  private static let bearer = "Authorization: Bearer \(TestServer.token)"

  @Test func theTokenIsNeeded() throws {
    let server = try TestServer()
    let wrong = String(TestServer.token.dropLast()) + "0"
    let cookie = "headroom-\(server.port)"
    let refused: [[String]] = [
      [], ["Authorization: Bearer \(wrong)"], ["Authorization: Basic \(TestServer.token)"],
      ["Authorization: Bearer"], ["Authorization: Bearer \(TestServer.token)0"],
      ["Authorization: Bearer \(TestServer.token.dropLast())"], [Self.bearer, Self.bearer],
      ["Cookie: \(cookie)=\(wrong)"], ["Cookie: headroom-1=\(TestServer.token)"],
      ["Authorization: Bearer \(wrong)", "Cookie: \(cookie)=\(TestServer.token)"],
    ]
    for headers in refused {
      for target in ["/", "/api/v1/metrics", "/nothing", "/api/v1/metrics?token=\(TestServer.token)"] {
        let answer = try server.answer(target, headers)
        #expect(answer.status == 401, "\(target) \(headers)")
        #expect(answer.body == "{\"error\": \"The token is missing or wrong.\"}\n")
      }
    }
    for header in [
      Self.bearer, "authorization: bearer  \(TestServer.token)", "Cookie: a=b; \(cookie)=\(TestServer.token)",
    ] {
      #expect(try server.answer("/api/v1/metrics", [header]).status == 200, "\(header)")
    }
  }

  @Test func theAddressSetsTheCookieOnce() throws {
    let server = try TestServer { $0.title = "<a>&.mkv" }
    let answer = try server.answer("/?token=\(TestServer.token)", [])
    #expect(answer.status == 303)
    #expect(answer["location"] == "/")
    let cookie = "headroom-\(server.port)=\(TestServer.token)"
    #expect(answer["set-cookie"] == "\(cookie); Path=/; HttpOnly; SameSite=Strict")
    let page = try server.answer("/", ["Cookie: \(cookie)"])
    #expect(page.status == 200)
    #expect(page["content-type"] == "text/html; charset=utf-8")
    #expect(page.body.contains("<title>&lt;a&gt;&amp;.mkv – "))
    #expect(try server.answer("/?token=no", ["Cookie: \(cookie)"]).status == 401)
    #expect(try server.answer("/?token=\(TestServer.token)&token=\(TestServer.token)", []).status == 401)
  }

  /// A name that was pointed at this machine, or another port, is not the server's.
  @Test func hostsAreChecked() throws {
    let server = try TestServer { $0.hostNames = ["Box.example"] }
    let port = server.port
    for host in ["127.0.0.1:\(port)", "localhost:\(port)", "LOCALHOST:\(port)", "box.example:\(port)"] {
      #expect(try server.answer("/api/v1/metrics", host: host).status == 200, "\(host)")
    }
    let refused = [
      "evil.example:\(port)", "127.0.0.1", "127.0.0.1:1", "127.0.0.2:\(port)", "localhost.evil.example:\(port)",
      "localhost", "box.example", "[::1]:\(port)", "0.0.0.0:\(port)",
    ]
    for host in refused { #expect(try server.answer("/api/v1/metrics", host: host).status == 403, "\(host)") }
    for host in ["", "127.0.0.1:", "a b", "127.0.0.1:\(port):1", "user@127.0.0.1:\(port)", "[::1:\(port)", ":\(port)"] {
      #expect(try server.answer("/api/v1/metrics", host: host).status == 400, "\(host)")
    }
    let twice = [Self.bearer, "Host: 127.0.0.1:\(port)"]
    #expect(try server.answer("/api/v1/metrics", twice).status == 400)
    let client = try server.client()
    client.send("GET /api/v1/metrics HTTP/1.0\r\n\(Self.bearer)\r\n\r\n")
    #expect(try client.answer().status == 400)
  }

  @Test func originsAreChecked() throws {
    let server = try TestServer()
    let (port, metrics) = (server.port, "/api/v1/metrics")
    #expect(try server.answer(metrics, [Self.bearer, "Origin: http://127.0.0.1:\(port)"]).status == 200)
    let refused = [
      "null", "http://evil.example", "https://127.0.0.1:\(port)", "http://127.0.0.1:1", "http://127.0.0.1",
      "http://localhost:\(port)", "", "http://127.0.0.1:\(port)/",
    ]
    for origin in refused {
      #expect(try server.answer(metrics, [Self.bearer, "Origin: \(origin)"]).status == 403, "\(origin)")
    }
    for site in ["cross-site", "same-site", "?"] {
      #expect(try server.answer(metrics, [Self.bearer, "Sec-Fetch-Site: \(site)"]).status == 403, "\(site)")
    }
    for site in ["none", "same-origin"] {
      #expect(try server.answer(metrics, [Self.bearer, "Sec-Fetch-Site: \(site)"]).status == 200, "\(site)")
    }
  }

  /// Strangers use up what they have, and nobody else's.
  @Test func thoseWithoutTheTokenAreLimitedAlone() throws {
    var limits = Limits()
    limits.strangerRate = Rate(perSecond: 0.001, burst: 3)
    let server = try TestServer(limits: limits)
    let statuses = try (0..<5).map { _ in try server.answer("/", []).status }
    #expect(statuses == [401, 401, 401, 429, 429])
    let answer = try server.answer("/", [])
    #expect(answer["retry-after"] == "1")
    #expect(try server.answer("/api/v1/metrics").status == 200)
  }

  @Test func aConnectionIsLimited() throws {
    var limits = Limits()
    limits.connectionRate = Rate(perSecond: 0.001, burst: 2)
    let server = try TestServer(limits: limits)
    let client = try server.client()
    for status in [200, 200, 429] {
      client.request("/api/v1/metrics")
      #expect(try client.answer().status == status)
    }
    #expect(try server.answer("/api/v1/metrics").status == 200)
  }

  /// The oldest that has not presented the token makes room; one that has stays.
  @Test func strangersMakeRoom() throws {
    var limits = Limits()
    limits.connectionsOfAddress = 3
    let server = try TestServer(limits: limits)
    let known = try server.client()
    known.request("/api/v1/metrics")
    #expect(try known.answer().status == 200)
    let strangers = try (0..<4).map { _ in try server.client() }
    #expect(strangers[0].hasEnded)
    #expect(strangers[1].hasEnded)
    known.request("/api/v1/metrics")
    #expect(try known.answer().body.contains("\nheadroom_connections 3\n"))
    withExtendedLifetime(strangers) {}
  }
}
