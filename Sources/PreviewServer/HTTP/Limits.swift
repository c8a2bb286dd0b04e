internal import Glibc

/// What one client, and all of them, can ask of the server.
package struct Limits: Sendable {
  /// Connections at a time, and of one address.
  package var connections = 256
  package var connectionsOfAddress = 64
  /// Bytes of the target of a request, of its headers, and their number.
  package var targetBytes = 4096
  package var headerBytes = 16 << 10
  package var headers = 100
  /// Bytes of a body.
  package var bodyBytes = 64 << 10
  /// Requests a second, and at once after a rest, of a client with the token: by connection and by address.
  package var connectionRate = Rate(perSecond: 50, burst: 100)
  package var addressRate = Rate(perSecond: 200, burst: 400)
  /// The same for those without it, by address.
  package var strangerRate = Rate(perSecond: 50, burst: 100)
  /// Requests that the renderer has yet to answer, and answers with a picture, which can be large.
  package var unanswered = 64
  package var pictures = 4
  /// Clients of the events.
  package var eventClients = 32
  /// Bytes of a message of theirs, and messages a second.
  package var messageBytes = 4096
  package var messageRate = Rate(perSecond: 20, burst: 40)

  /// Seconds for the handshake of TLS and the head of a request, for its body, and between two requests.
  package var headSeconds = 10.0
  package var bodySeconds = 10.0
  package var idleSeconds = 60.0
  /// Seconds in which a client must take something of what is sent.
  package var writeSeconds = 30.0
  /// Seconds and bytes that are read after an answer that ends a connection, so that no reset overtakes it.
  package var drainSeconds = 2.0
  package var drainBytes = 256 << 10
  /// Seconds that the renderer has for an answer.
  package var answerSeconds = 30.0
  /// Seconds between pings of the events, and without a sign of life.
  package var pingSeconds = 20.0
  package var silenceSeconds = 60.0
  /// Seconds between two states for a client.
  package var stateSeconds = 0.2
  /// Seconds that a fragment may wait before its viewer counts as slow.
  package var lateSeconds = 0.5
  /// Seconds between two requests for a key frame of one stream.
  package var keyFrameSeconds = 0.5
  /// Seconds that everything has to end.
  package var finishSeconds = 2.5

  /// Those that are served with.
  package init() {}

  /// With no more connections than the process may have descriptors for; without any left, it could not even refuse.
  var fittingDescriptors: Limits {
    var (limits, most) = (self, rlimit())
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &most) == 0 else { return limits }
    let others = 32
    limits.connections = max(1, min(connections, Int(clamping: most.rlim_cur) - others))
    return limits
  }

  /// Bytes that wait for a connection: above the first it is not writable, until there are less than the second.
  static let (highWater, lowWater) = (1 << 20, 128 << 10)
  /// Bytes that are written in one piece.
  static let piece = 64 << 10
}
