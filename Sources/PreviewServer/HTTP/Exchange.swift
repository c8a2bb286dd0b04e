internal import NIOCore
internal import NIOHTTP1

/// A complete request, and its response, which may come later or be endless.
final class Exchange {
  let head: HTTPRequestHead
  let target: RequestTarget
  let body: ByteBuffer
  let connection: Connection
  /// The connection stays open after the response.
  let keepsAlive: Bool
  /// Called once when the response is complete, or the client has disconnected before.
  var onEnd: (() -> Void)?
  /// Called when all output has been sent.
  var onDrained: (() -> Void)?
  private weak var handler: RequestHandler?
  private var written: CircularBuffer<NIODeadline> = []

  init(_ incoming: RequestHandler.Incoming, keepsAlive: Bool, connection: Connection, handler: RequestHandler) {
    (head, target, body) = (incoming.head, incoming.target, incoming.body)
    (self.keepsAlive, self.connection, self.handler) = (keepsAlive, connection, handler)
  }

  /// nil when the response is complete, or the client has disconnected.
  var channel: (any Channel)? { handler?.context?.channel }

  func respond(_ response: Response) {
    handler?.send(response, for: self)
  }

  func refuse(_ refusal: Refusal) {
    connection.counts.reject(refusal.reason)
    respond(Response(refusal))
  }

  // MARK: Streamed responses

  func begin(_ headers: HTTPHeaders) { handler?.begin(headers, for: self) }

  /// Sends another chunk of the response.
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

  /// Returns whether the client is too slow.
  func isBehind(lateSeconds: Double, now: NIODeadline) -> Bool {
    guard let handler, handler.isWritable else { return true }
    return written.first.map { (now - $0).seconds > lateSeconds } ?? false
  }

  var isDrained: Bool { written.isEmpty }

  /// Turns the connection into an event connection.
  func upgrade(to client: EventClient, _ headers: HTTPHeaders) { handler?.upgrade(to: client, headers, for: self) }

  /// Called when the response is complete, or the client has disconnected.
  func ended() {
    (handler, onDrained) = (nil, nil)
    let action = onEnd
    onEnd = nil
    action?()
  }
}
