internal import NIOCore
internal import NIOHTTP1

/// A request that has been read, and its answer, which may come later or never end.
final class Exchange {
  let head: HTTPRequestHead
  let target: RequestTarget
  let body: ByteBuffer
  let connection: Connection
  /// The connection goes on after the answer.
  let keepsAlive: Bool
  /// Called once when the answer is complete, or the client has gone before.
  var onEnd: (() -> Void)?
  /// Called when nothing waits to be sent any more.
  var onDrained: (() -> Void)?
  private weak var handler: RequestHandler?
  private var written: CircularBuffer<NIODeadline> = []

  init(_ incoming: RequestHandler.Incoming, keepsAlive: Bool, connection: Connection, handler: RequestHandler) {
    (head, target, body) = (incoming.head, incoming.target, incoming.body)
    (self.keepsAlive, self.connection, self.handler) = (keepsAlive, connection, handler)
  }

  /// Nil when the answer is complete, or the client has gone.
  var channel: (any Channel)? { handler?.context?.channel }

  func respond(_ response: Response) {
    handler?.send(response, for: self)
  }

  func refuse(_ refusal: Refusal) {
    connection.counts.reject(refusal.reason)
    respond(Response(refusal))
  }

  // MARK: Answers that go on

  func begin(_ headers: HTTPHeaders) { handler?.begin(headers, for: self) }

  /// One more part of the answer.
  func write(_ bytes: ByteBuffer) {
    guard let sent = handler?.write(bytes, for: self) else { return }
    written.append(.now())
    sent.assumeIsolated().whenComplete { [weak self] _ in
      guard let self else { return }
      _ = written.popFirst()
      if written.isEmpty { onDrained?() }
    }
  }

  func end() { handler?.end(self) }

  /// The client takes less than it is sent.
  func isBehind(lateSeconds: Double, now: NIODeadline) -> Bool {
    guard let handler, handler.isWritable else { return true }
    return written.first.map { (now - $0).seconds > lateSeconds } ?? false
  }

  var isDrained: Bool { written.isEmpty }

  /// The connection becomes one of the events.
  func upgrade(to client: EventClient, _ headers: HTTPHeaders) { handler?.upgrade(to: client, headers, for: self) }

  /// The answer is complete, or the client has gone.
  func ended() {
    (handler, onDrained) = (nil, nil)
    let action = onEnd
    onEnd = nil
    action?()
  }
}
