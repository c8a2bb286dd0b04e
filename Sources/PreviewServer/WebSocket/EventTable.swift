internal import NIOCore

/// The event clients, and the newest state.
final class EventTable {
  private var clients: [ObjectIdentifier: EventClient] = [:]
  private let limits: Limits
  /// The state as JSON; nil until the renderer has sent it.
  private(set) var state: String?
  /// The state as a message, and its number.
  private(set) var message: (number: Int, bytes: ByteBuffer)?

  init(limits: Limits) { self.limits = limits }

  var count: Int { clients.count }

  var isFull: Bool { clients.count >= limits.eventClients }

  func add(_ client: EventClient) { clients[ObjectIdentifier(client)] = client }

  func remove(_ client: EventClient) { clients[ObjectIdentifier(client)] = nil }

  func change(_ json: String) {
    state = json
    message = ((message?.number ?? 0) + 1, ByteBuffer(string: #"{"event":"state","state":\#(json)}"#))
    for client in clients.values { client.update() }
  }

  func sweep(now: NIODeadline) { for client in Array(clients.values) { client.check(now: now) } }

  /// Ends all event connections when the preview ends.
  func endAll() { for client in Array(clients.values) { client.end() } }
}
