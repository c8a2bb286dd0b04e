internal import NIOCore
internal import NIOHTTP1
internal import PreviewProtocol

extension Hub {
  /// Decides from a request's head whether to read on.
  /// - Throws: A refusal that closes the connection.
  func admit(
    _ head: HTTPRequestHead, from connection: Connection, at local: NumericHost?
  ) throws(Refusal) -> RequestHandler.Incoming {
    let target = RequestTarget(head.uri, limits: limits)
    let isKnown = gate.isKnown(head.headers, target)
    let now = NIODeadline.now()
    guard rates.take(connection.address, isStranger: !isKnown, now: now), connection.bucket.take(now: now) else {
      throw .tooOften
    }
    try gate.check(head, at: local)
    guard let target else { throw Refusal(.badRequest, .path, "The target is not understood.") }
    // Someone who opens the address in a browser gets a page rather than JSON.
    guard isKnown else { throw target.path.hasPrefix("/api/") ? Gate.unknown : Gate.closed }
    connection.isKnown = true
    if isFinishing { throw .ending }
    let route = Result { () throws(Refusal) in try self.route(head, target) }
    // Without a body, the connection can stay open after a refusal.
    if case .failure(let refusal) = route, head.announcesBody { throw refusal }
    if case .success(let found) = route, head.announcesBody, !found.hasBody {
      throw Refusal(.badRequest, .body, "A body is not understood here.")
    }
    return RequestHandler.Incoming(head: head, target: target, route: route)
  }

  private func route(_ head: HTTPRequestHead, _ target: RequestTarget) throws(Refusal) -> Route {
    let route = try Route(head.method, target.path)
    guard route == .change else { return route }
    if isReadOnly { throw Refusal(.forbidden, .readOnly, "This preview can only be looked at.") }
    let type = head.headers["Content-Type"].first?.split(separator: ";").first?.lowercased()
    guard type?.filter({ $0 != " " }) == "application/json" else {
      throw Refusal(.unsupportedMediaType, .type, "The body must be application/json.")
    }
    if let length = head.headers["Content-Length"].first.flatMap({ Int($0) }), length > limits.bodyBytes {
      throw .bodyTooLarge
    }
    return route
  }

  /// Answers a complete request, now or later.
  func answer(_ exchange: Exchange, _ route: Result<Route, Refusal>) {
    do throws(Refusal) {
      switch try route.get() {
      case .page:
        _ = try items(exchange)
        exchange.respond(PageContent.page(title: title))
      case .description:
        exchange.respond(Response(contentType: "application/json", body: PageContent.description))
      case .metrics:
        exchange.respond(Response(contentType: MetricsText.contentType, body: ByteBuffer(string: metrics)))
      case .state:
        guard let state = events.state else { throw .busy("There is no state yet.") }
        exchange.respond(Response(contentType: "application/json", body: ByteBuffer(string: state)))
      case .events: try openEvents(exchange)
      case .stream: streams.join(exchange, query: try items(exchange), now: .now())
      case .change: try asked.ask(ServerRequest(.patch, body: try text(exchange.body)), exchange)
      case .ask(let kind): try asked.ask(ServerRequest(kind, query: try items(exchange)), exchange)
      }
    } catch { exchange.refuse(error) }
  }

  private func items(_ exchange: Exchange) throws(Refusal) -> [String: String] {
    guard let items = exchange.target.items else {
      throw Refusal(.badRequest, .query, "The query is not understood.")
    }
    return items
  }

  private func text(_ body: ByteBuffer) throws(Refusal) -> String {
    guard body.readableBytes > 0, let text = String(validating: body.readableBytesView, as: UTF8.self) else {
      throw Refusal(.badRequest, .body, "The body is not JSON.")
    }
    return text
  }

  private func openEvents(_ exchange: Exchange) throws(Refusal) {
    guard WebSocketHandshake.isAsked(by: exchange.head), let channel = exchange.channel else {
      throw WebSocketHandshake.refusal
    }
    guard !events.isFull else { throw .busy("There are too many clients.") }
    let client = EventClient(table: events, connection: exchange.connection, limits: limits)
    WebSocketHandshake.answer(exchange.head, on: channel) { headers in
      guard let headers else { return exchange.refuse(WebSocketHandshake.refusal) }
      exchange.upgrade(to: client, headers)
    }
  }
}

extension HTTPRequestHead {
  /// Whether a body follows, or may follow.
  fileprivate var announcesBody: Bool {
    headers.contains(name: "Transfer-Encoding") || headers["Content-Length"].contains { $0 != "0" }
  }
}
