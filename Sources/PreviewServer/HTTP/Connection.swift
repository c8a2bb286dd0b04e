internal import NIOCore
internal import NIOHTTP1

/// A client's connection below HTTP: its traffic, timeouts, and end.
///
/// Used on its event loop only, like all handlers.
final class Connection: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  /// The client's expected action.
  enum Phase: Equatable {
    /// Start a request.
    case idle
    case sendHead
    case sendBody
    /// Wait for a response, or watch a stream.
    case wait
    /// Close its side.
    case close
  }

  let address: ClientAddress
  /// The client has presented the token.
  var isKnown = false
  /// The request limit.
  var bucket: TokenBucket
  var phase = Phase.idle {
    didSet {
      since = .now()
      if phase == .idle { (received, isFirst) = (0, false) }
    }
  }

  /// When the last byte was sent.
  private var said: NIODeadline?
  private let limits: Limits
  let counts: ServerCounts
  private let began = NIODeadline.now()
  private var since = NIODeadline.now()
  private var isFirst = true
  private var received = 0
  private var (pending, progressed) = (0, NIODeadline.now())
  private var context: ChannelHandlerContext?

  init(address: ClientAddress, limits: Limits, counts: ServerCounts) {
    (self.address, self.limits, self.counts) = (address, limits, counts)
    bucket = TokenBucket(limits.connectionRate, now: .now())
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  // MARK: Input

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += unwrapInboundIn(data).readableBytes
    switch phase {
    case .close:
      if received > limits.drainBytes { context.close(promise: nil) }
      return
    case .idle: phase = .sendHead
    default: break
    }
    context.fireChannelRead(data)
    // The decoder limits what it passes on; this limits what it discards: white space, chunk extensions, trailers.
    if phase == .sendHead, received > 2 * limits.headerBytes + limits.targetBytes {
      refuse(Refusal(.requestHeaderFieldsTooLarge, .size, "The headers are too large."))
    } else if phase == .sendBody, received > 4 * limits.bodyBytes {
      refuse(.bodyTooLarge)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    context.fireChannelReadComplete()
    if phase == .close { context.read() }
  }

  // MARK: Output

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .byteBuffer(var bytes) = unwrapOutboundIn(data) else {
      promise?.succeed()
      return
    }
    counts.sentBytes += bytes.readableBytes
    if pending == 0 { progressed = .now() }
    // In pieces, so that a slow client still shows progress.
    while bytes.readableBytes > Limits.piece, let piece = bytes.readSlice(length: Limits.piece) {
      writePiece(context, piece, nil)
    }
    writePiece(context, bytes, promise)
  }

  private func writePiece(_ context: ChannelHandlerContext, _ piece: ByteBuffer, _ promise: EventLoopPromise<Void>?) {
    pending += 1
    let written = promise ?? context.eventLoop.makePromise()
    written.futureResult.assumeIsolated().whenComplete { [weak self] _ in
      self?.pending -= 1
      self?.progressed = .now()
    }
    context.write(wrapOutboundOut(.byteBuffer(piece)), promise: written)
  }

  // MARK: Ending

  /// Sends a refusal from this level, and closes; only before a response has started.
  func refuse(_ refusal: Refusal) {
    guard phase != .close, let context else { return }
    counts.count(refusal.status)
    counts.reject(refusal.reason)
    phase = .close
    write(context: context, data: NIOAny(IOData.byteBuffer(Response(refusal).closing)), promise: nil)
    context.flush()
    closeOutput(context)
  }

  /// Closes once all output is sent. Reads on for a moment: a reset in reply to further input would overtake the
  /// response.
  func finish() {
    guard phase != .close, let context else { return }
    phase = .close
    closeOutput(context)
  }

  private func closeOutput(_ context: ChannelHandlerContext) {
    received = 0
    // After all pending output.
    let sent = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(wrapOutboundOut(.byteBuffer(ByteBuffer())), promise: sent)
    sent.futureResult.assumeIsolated().whenComplete { [weak self] _ in
      guard let self, let context = self.context else { return }
      since = .now()
      said = since
      context.close(mode: .output, promise: nil)
      context.read()
    }
  }

  /// Whether all output is sent, and the client has had a moment to close its side.
  func isOver(now: NIODeadline) -> Bool { said.map { now - $0 > .milliseconds(250) } ?? false }

  /// Closes immediately.
  func drop() { context?.close(promise: nil) }

  /// Enforces timeouts; called every second.
  func check(now: NIODeadline) {
    if pending > 0 {
      if (now - progressed).seconds > limits.writeSeconds { drop() }
      return
    }
    let seconds = (now - since).seconds
    switch phase {
    case .idle where isFirst:
      if (now - began).seconds > limits.headSeconds { drop() }
    case .idle:
      if seconds > limits.idleSeconds { finish() }
    case .sendHead:
      if seconds > limits.headSeconds { refuse(.tooSlow) }
    case .sendBody:
      if seconds > limits.bodySeconds { refuse(.tooSlow) }
    case .wait: break
    case .close:
      if seconds > limits.drainSeconds { drop() }
    }
  }
}
