import PreviewProtocol
import PreviewServer
import Testing

/// The WebSocket.
@Suite struct EventTests {
  private static let handshake = [
    "Authorization: Bearer \(TestServer.token)", "Upgrade: websocket", "Connection: keep-alive, Upgrade",
    "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ]

  private func open(_ server: TestServer) throws -> TestClient {
    let client = try server.client()
    client.request("/api/v1/events", Self.handshake)
    let head = try client.head()
    #expect(head.status == 101)
    // The example of RFC 6455, 1.3.
    #expect(head["sec-websocket-accept"] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    return client
  }

  private func state(_ number: Int) -> ServerMessage { .state(json: "\(number)", counts: RenderingCounts()) }

  /// Opcode and payload of the next frame; nil at the end.
  private func frame(_ client: TestClient) -> (opcode: UInt8, text: String)? {
    guard let head = try? client.bytes(2) else { return nil }
    var length = Int(head[1])
    if length == 126 { length = (try? client.bytes(2))?.reduce(0) { $0 << 8 | Int($1) } ?? 0 }
    guard let payload = try? client.bytes(length) else { return nil }
    if head[0] & 15 == 8 { return (8, "\(payload.reduce(0) { $0 << 8 | Int($1) })") }
    return (head[0] & 15, String(decoding: payload, as: UTF8.self))
  }

  /// A frame of a client, which is masked.
  private static func masked(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length: [UInt8] =
      payload.count < 126
      ? [0x80 | UInt8(payload.count)] : [0xFE, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    return [first] + length + [1, 2, 3, 4] + payload.enumerated().map { $1 ^ [1, 2, 3, 4][$0 % 4] }
  }

  @Test func theNewestStateIsTold() throws {
    let server = try TestServer()
    server.renderer.send(state(0))
    let client = try open(server)
    #expect(frame(client)?.text == #"{"event":"state","state":0}"#)
    // Many at once: the first of them comes when it is time, or the last.
    for number in 1...50 { server.renderer.send(state(number)) }
    var last = ""
    var count = 0
    while last != #"{"event":"state","state":50}"#, let next = frame(client) {
      last = next.text
      count += 1
    }
    #expect((1...3).contains(count))
    server.renderer.send(.finish)
    #expect(frame(client)?.text == #"{"event":"end"}"#)
    #expect(frame(client)?.text == "1001")
    #expect(frame(client) == nil)
    #expect(server.wait() == 0)
  }

  @Test func pingsAreAnswered() throws {
    let server = try TestServer()
    let client = try open(server)
    client.send(Self.masked(0x81, Array(#"{"ping": 12}"#.utf8)))
    #expect(frame(client)?.text.hasPrefix(#"{"event":"pong","ping":12,"time":"#) == true)
    client.send(Self.masked(0x01, Array(#"{"ping""#.utf8)) + Self.masked(0x80, Array(": 1.5}".utf8)))
    #expect(frame(client)?.text.hasPrefix(#"{"event":"pong","ping":1.5,"time":"#) == true)
    client.send(Self.masked(0x81, Array("[]".utf8)) + Self.masked(0x81, []))
    client.send(Self.masked(0x89, Array("x".utf8)))
    let pong = frame(client)
    #expect(pong?.opcode == 10)
    #expect(pong?.text == "x")
    client.send(Self.masked(0x88, [3, 232]))
    #expect(frame(client)?.text == "1000")
  }

  static let violations: [([UInt8], String)] = [
    ([0x81, 2, 0x7B, 0x7D], "1002"), (masked(0xC1, [1]), "1002"), (masked(0x82, [1]), "1003"),
    (masked(0x81, [0xFF]), "1007"), (masked(0x83, []), "1002"), (masked(0x8B, []), "1002"), (masked(0x80, []), "1002"),
    (masked(0x81, [UInt8](repeating: 0x61, count: 5000)), "1009"), (masked(0x09, []), "1002"),
    (masked(0x89, [UInt8](repeating: 0, count: 126)), "1002"), (masked(0x01, [1]) + masked(0x81, [1]), "1002"),
    ([0x81, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], "1009"),
    ((0..<50).flatMap { _ in masked(0x8A, []) }, "1008"),
  ]

  @Test func violationsEndTheConnection() throws {
    let server = try TestServer()
    for (bytes, code) in Self.violations {
      let client = try open(server)
      client.send(bytes)
      #expect(frame(client)?.text == code, "\(bytes.prefix(8))")
      #expect(frame(client) == nil)
    }
  }

  @Test func onlyAWebSocketIsAnswered() throws {
    let server = try TestServer()
    for index in 1..<Self.handshake.count {
      var headers = Self.handshake
      headers.remove(at: index)
      let answer = try server.answer("/api/v1/events", headers)
      #expect(answer.status == 426)
      #expect(answer["upgrade"] == "websocket")
    }
    #expect(try server.answer("/api/v1/events", Array(Self.handshake.dropFirst())).status == 401)
    #expect(try server.answer("/api/v1/metrics", Self.handshake).status == 200)
    let foreign = Self.handshake + ["Origin: http://evil.example"]
    #expect(try server.answer("/api/v1/events", foreign).status == 403)
  }

  @Test func clientsAreLimited() throws {
    var limits = Limits()
    limits.eventClients = 1
    let server = try TestServer(limits: limits)
    let first = try open(server)
    #expect(try server.answer("/api/v1/events", Self.handshake).status == 503)
    first.close()
  }
}
