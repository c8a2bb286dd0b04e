internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// The opening handshake of a WebSocket (RFC 6455, 4.2).
enum WebSocketHandshake {
  /// Only builds responses; access has already been checked.
  private static let upgrader = NIOWebSocketServerUpgrader(
    automaticErrorHandling: false,
    shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture(HTTPHeaders()) },
    upgradePipelineHandler: { channel, _ in channel.eventLoop.makeSucceededVoidFuture() })

  /// Returns whether a request asks for a WebSocket in a valid form.
  static func isAsked(by head: HTTPRequestHead) -> Bool {
    let headers = head.headers
    let connection = headers[canonicalForm: "Connection"].map { $0.lowercased() }
    let upgrade = headers[canonicalForm: "Upgrade"].map { $0.lowercased() }
    let keys = headers["Sec-WebSocket-Key"]
    guard head.version == .http1_1, connection.contains("upgrade"), upgrade == ["websocket"],
      headers["Sec-WebSocket-Version"] == ["13"], keys.count == 1
    else { return false }
    // 16 bytes in base64.
    return keys[0].utf8.count == 24 && keys[0].hasSuffix("==")
  }

  /// Returns the response headers.
  static func answer(_ head: HTTPRequestHead, on channel: any Channel, _ then: @escaping (HTTPHeaders?) -> Void) {
    upgrader.buildUpgradeResponse(channel: channel, upgradeRequest: head, initialResponseHeaders: HTTPHeaders())
      .assumeIsolated().whenComplete { then(try? $0.get()) }
  }

  static let refusal: Refusal = {
    var refusal = Refusal(.upgradeRequired, .upgrade, "Only a WebSocket handshake, version 13, is answered here.")
    refusal.headers = [("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")]
    return refusal
  }()
}
