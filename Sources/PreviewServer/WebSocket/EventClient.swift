internal import Foundation
internal import NIOCore
internal import NIOWebSocket

/// A WebSocket that sends the state to a client, and answers its pings.
///
/// Nothing is queued for a slow client: it gets the newest state when earlier output has been sent.
final class EventClient: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let table: EventTable
  private let connection: Connection
  private let limits: Limits
  private var context: ChannelHandlerContext?
  private var bucket: TokenBucket
  /// The number and time of the last state sent.
  private var (sentNumber, sentTime) = (0, NIODeadline.distantPast)
  private var isScheduled = false
  private var heard = NIODeadline.now()
  private var pinged = NIODeadline.now()
  private var isClosing = false

  init(table: EventTable, connection: Connection, limits: Limits) {
    (self.table, self.connection, self.limits) = (table, connection, limits)
    bucket = TokenBucket(limits.messageRate, now: .now())
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    table.add(self)
    update()
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    table.remove(self)
  }

  func channelInactive(context: ChannelHandlerContext) {
    table.remove(self)
    context.fireChannelInactive()
  }

  // MARK: Output

  /// Sends the newest state, if it is new to the client and the interval has passed.
  func update() {
    guard let context, let message = table.message, message.number != sentNumber, !isClosing, !isScheduled,
      context.channel.isWritable
    else { return }
    let now = NIODeadline.now()
    let due = sentTime + .seconds(limits.stateSeconds)
    if sentNumber > 0, due > now {
      isScheduled = true
      context.eventLoop.assumeIsolated().scheduleTask(deadline: due) { [weak self] in
        self?.isScheduled = false
        self?.update()
      }
      return
    }
    (sentNumber, sentTime) = (message.number, now)
    send(.text, message.bytes)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    update()
    context.fireChannelWritabilityChanged()
  }

  private func send(_ opcode: WebSocketOpcode, _ bytes: ByteBuffer) {
    guard let context else { return }
    context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: bytes)), promise: nil)
  }

  /// Ends the connection when the preview ends.
  func end() {
    guard !isClosing else { return }
    send(.text, ByteBuffer(string: #"{"event":"end"}"#))
    close(.goingAway)
  }

  private func close(_ code: WebSocketErrorCode) {
    guard !isClosing else { return }
    isClosing = true
    var bytes = ByteBuffer()
    bytes.write(webSocketErrorCode: code)
    send(.connectionClose, bytes)
    connection.finish()
  }

  /// Called every second.
  func check(now: NIODeadline) {
    if (now - heard).seconds > limits.silenceSeconds { return connection.drop() }
    if (now - pinged).seconds > limits.pingSeconds, context?.channel.isWritable == true, !isClosing {
      pinged = now
      send(.ping, ByteBuffer())
    }
  }

  // MARK: Input

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    heard = .now()
    guard !isClosing else { return }
    guard bucket.take(now: heard) else { return close(.policyViolation) }
    switch frame.opcode {
    case .text: hear(frame.unmaskedData)
    case .binary: close(.unacceptableData)
    case .ping: if context.channel.isWritable { send(.pong, frame.unmaskedData) }
    case .pong: break
    case .connectionClose: close(.normalClosure)
    default: close(.protocolError)
    }
  }

  private struct Question: Decodable { var ping: Double }

  private func hear(_ bytes: ByteBuffer) {
    guard let text = String(validating: bytes.readableBytesView, as: UTF8.self) else {
      return close(.dataInconsistentWithMessage)
    }
    // Other messages are reserved for later versions.
    guard let question = try? JSONDecoder().decode(Question.self, from: Data(text.utf8)), question.ping.isFinite,
      let context, context.channel.isWritable
    else { return }
    let number =
      question.ping == question.ping.rounded() && abs(question.ping) < 1e15
      ? String(Int(question.ping)) : String(question.ping)
    let time = Date().timeIntervalSince1970
    send(.text, ByteBuffer(string: #"{"event":"pong","ping":\#(number),"time":\#(time)}"#))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case NIOWebSocketError.invalidFrameLength, NIOWebSocketFrameAggregator.Error.accumulatedFrameSizeIsTooLarge,
      NIOWebSocketFrameAggregator.Error.tooManyFragments:
      close(.messageTooLarge)
    case is NIOWebSocketError, is NIOWebSocketFrameAggregator.Error, is ClientFrameCheck.Violation:
      close(.protocolError)
    default: context.close(promise: nil)
    }
  }
}
