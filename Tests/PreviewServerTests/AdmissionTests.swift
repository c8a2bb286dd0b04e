import PreviewProtocol
import PreviewServer
import Testing

/// Who is let in.
@Suite struct AdmissionTests {
  private static let bearer = "Authorization: Bearer \(TestServer.token)"

  @Test func theTokenIsNeeded() throws {
    let server = try TestServer()
    let wrong = String(TestServer.token.dropLast()) + "0"
    let refused: [[String]] = [
      [], ["Authorization: Bearer \(wrong)"], ["Authorization: Basic \(TestServer.token)"],
      ["Authorization: Bearer"], ["Authorization: Bearer \(TestServer.token)0"],
      ["Authorization: Bearer \(TestServer.token.dropLast())"], [Self.bearer, Self.bearer],
      ["Cookie: headroom-\(server.port)=\(TestServer.token)"],
    ]
    for headers in refused {
      for target in ["/api/v1/metrics", "/\(wrong)/api/v1/metrics", "/api/v1/metrics?token=\(TestServer.token)"] {
        let answer = try server.answer(target, headers)
        #expect(answer.status == 401, "\(target) \(headers)")
        #expect(answer.body == "{\"error\": \"The token is missing or wrong.\"}\n")
      }
    }
    for header in [Self.bearer, "authorization: bearer  \(TestServer.token)"] {
      #expect(try server.answer("/api/v1/metrics", [header]).status == 200, "\(header)")
    }
    let path = "/\(TestServer.token)/api/v1/metrics"
    #expect(try server.answer(path, []).status == 200)
    #expect(try server.answer(path, ["Authorization: Bearer \(wrong)"]).status == 401)
  }

  /// Cookies of a host go to all of its ports: the address of the page holds the token instead.
  @Test func theAddressOfThePageHoldsTheToken() throws {
    let server = try TestServer { $0.title = "<a>&.mkv" }
    #expect(server.listening.url == "http://127.0.0.1:\(server.port)/\(TestServer.token)/")
    for target in ["/\(TestServer.token)/", "/\(TestServer.token)"] {
      let page = try server.answer(target, [])
      #expect(page.status == 200 && page["content-type"] == "text/html; charset=utf-8" && page["set-cookie"] == nil)
      #expect(page["referrer-policy"] == "no-referrer")
      #expect(page.body.contains("<title>&lt;a&gt;&amp;.mkv – "))
    }
  }

  /// A person who opens an old address reads why, and nothing of what is shown.
  @Test func aWrongAddressIsAnsweredWithAPage() throws {
    let server = try TestServer { $0.title = "secret.mkv" }
    for target in ["/", "/\(String(TestServer.token.reversed()))/", "/nothing", "/?token=\(TestServer.token)"] {
      let answer = try server.answer(target, [])
      #expect(answer.status == 401 && answer["content-type"] == "text/html; charset=utf-8", "\(target)")
      #expect(answer.body.hasPrefix("<!DOCTYPE html>") && answer.body.contains("Open the full address"), "\(target)")
      #expect(!answer.body.contains("secret"))
    }
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
