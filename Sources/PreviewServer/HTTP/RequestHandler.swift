internal import NIOCore
internal import NIOHTTP1

/// Reads and checks requests and writes responses, one at a time.
final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// A request being received.
  struct Incoming {
    let head: HTTPRequestHead
    let target: RequestTarget
    let route: Result<Route, Refusal>
    var body = ByteBuffer()
  }

  private enum State {
    case waiting
    case receiving(Incoming)
    case answering(Exchange)
    case closed
  }

  let hub: Hub
  let connection: Connection
  /// The handlers to remove when a WebSocket starts.
  let codec: HTTPCodec
  private var state = State.waiting
  private(set) var context: ChannelHandlerContext?
  /// The rest of a response, sent as the client accepts it.
  private var rest: ByteBuffer?

  init(hub: Hub, connection: Connection, codec: HTTPCodec) {
    (self.hub, self.connection, self.codec) = (hub, connection, codec)
  }

  var isWritable: Bool { context?.channel.isWritable ?? false }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (unwrapInboundIn(data), state) {
    case (.head(let head), .waiting):
      connection.phase = .sendBody
      do throws(Refusal) {
        state = .receiving(try hub.admit(head, from: connection, at: NumericHost(context.channel.localAddress)))
      } catch { refuse(error) }
    case (.body(var part), .receiving(var incoming)):
      guard incoming.body.readableBytes + part.readableBytes <= hub.limits.bodyBytes else {
        return refuse(.bodyTooLarge)
      }
      incoming.body.writeBuffer(&part)
      state = .receiving(incoming)
    case (.end, .receiving(let incoming)):
      connection.phase = .wait
      let keepsAlive = incoming.head.isKeepAlive && incoming.head.version == .http1_1 && !incoming.head.asksForUpgrade
      let exchange = Exchange(incoming, keepsAlive: keepsAlive, connection: connection, handler: self)
      state = .answering(exchange)
      hub.answer(exchange, incoming.route)
    default: break
    }
  }

  private func refuse(_ refusal: Refusal) {
    state = .closed
    connection.refuse(refusal)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch (error, state) {
    case (HTTPParserError.headerOverflow, .waiting), (HTTPParserError.headerOverflow, .receiving):
      refuse(Refusal(.requestHeaderFieldsTooLarge, .size, "The headers are too large."))
    case (HTTPParserError.invalidVersion, .waiting):
      refuse(Refusal(.httpVersionNotSupported, .version, "Only HTTP/1.1 is understood."))
    case (is HTTPParserError, .waiting), (is HTTPParserError, .receiving):
      refuse(Refusal(.badRequest, .syntax, "This is not an HTTP request."))
    default: context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    let last = state
    (state, rest) = (.closed, nil)
    if case .answering(let exchange) = last { exchange.ended() }
    context.fireChannelInactive()
  }

  // MARK: Responses

  private func isCurrent(_ exchange: Exchange) -> Bool {
    if case .answering(let current) = state { return current === exchange }
    return false
  }

  private func writeHead(_ status: HTTPResponseStatus, _ headers: HTTPHeaders, for exchange: Exchange) {
    var headers = headers
    Response.addStanding(to: &headers)
    if !exchange.keepsAlive { headers.replaceOrAdd(name: "Connection", value: "close") }
    hub.counts.count(status)
    let head = HTTPResponseHead(version: exchange.head.version, status: status, headers: headers)
    context?.write(wrapOutboundOut(.head(head)), promise: nil)
  }

  func send(_ response: Response, for exchange: Exchange) {
    guard isCurrent(exchange) else { return }
    var headers = response.headers
    headers.replaceOrAdd(name: "Content-Length", value: String(response.body.readableBytes))
    writeHead(response.status, headers, for: exchange)
    // The length is that of the body for other methods (RFC 9110, 9.3.2).
    rest = exchange.head.method == .HEAD ? ByteBuffer() : response.body
    writeRest()
  }

  /// Writes as much as the client accepts.
  private func writeRest() {
    guard let context, case .answering(let exchange) = state, var bytes = rest else { return }
    while context.channel.isWritable, bytes.readableBytes > 0 {
      guard let piece = bytes.readSlice(length: min(bytes.readableBytes, Limits.piece)) else { break }
      context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece))), promise: nil)
    }
    rest = bytes.readableBytes > 0 ? bytes : nil
    if rest == nil { finish(exchange) }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    writeRest()
    context.fireChannelWritabilityChanged()
  }

  func begin(_ headers: HTTPHeaders, for exchange: Exchange) {
    guard isCurrent(exchange) else { return }
    writeHead(.ok, headers, for: exchange)
    context?.flush()
  }

  func write(_ bytes: ByteBuffer, for exchange: Exchange) -> EventLoopFuture<Void>? {
    guard isCurrent(exchange), let context else { return nil }
    return context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))))
  }

  func end(_ exchange: Exchange) {
    guard isCurrent(exchange) else { return }
    finish(exchange)
  }

  private func finish(_ exchange: Exchange) {
    guard let context else { return }
    // Writing the end of this response may deliver a buffered request.
    let keepsAlive = exchange.keepsAlive && !hub.isFinishing
    state = keepsAlive ? .waiting : .closed
    if keepsAlive { connection.phase = .idle }
    exchange.ended()
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    if !keepsAlive { connection.finish() }
  }

  /// Marks the connection as no longer HTTP.
  func leave(_ exchange: Exchange) -> Bool {
    guard isCurrent(exchange) else { return false }
    state = .closed
    return true
  }
}

extension HTTPRequestHead {
  /// Whether it requests an upgrade: the parser then stops after the request.
  var asksForUpgrade: Bool { headers.contains(name: "Upgrade") }
}
