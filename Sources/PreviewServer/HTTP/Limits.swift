internal import Glibc

/// The limits for a single client and for all clients.
package struct Limits: Sendable {
  /// Connections in total, and per address.
  package var connections = 256
  package var connectionsOfAddress = 64
  /// Bytes of a request target and of headers, and number of headers.
  package var targetBytes = 4096
  package var headerBytes = 16 << 10
  package var headers = 100
  /// Bytes of a body.
  package var bodyBytes = 64 << 10
  /// Requests per second, and burst size, of a client with the token: per connection and per address.
  package var connectionRate = Rate(perSecond: 50, burst: 100)
  package var addressRate = Rate(perSecond: 200, burst: 400)
  /// The limit for clients without the token, per address.
  package var strangerRate = Rate(perSecond: 50, burst: 100)
  /// Requests pending at the renderer, and picture responses, which can be large.
  package var unanswered = 64
  package var pictures = 4
  /// Event clients.
  package var eventClients = 32
  /// Bytes per message of an event client, and messages per second.
  package var messageBytes = 4096
  package var messageRate = Rate(perSecond: 20, burst: 40)

  /// Timeouts in seconds for the TLS handshake and request head, for the body, and between two requests.
  package var headSeconds = 10.0
  package var bodySeconds = 10.0
  package var idleSeconds = 60.0
  /// Timeout in seconds for a client that accepts no output.
  package var writeSeconds = 30.0
  /// Seconds and bytes to read after the final response, so that no reset overtakes it.
  package var drainSeconds = 2.0
  package var drainBytes = 256 << 10
  /// Timeout in seconds for the renderer's answers.
  package var answerSeconds = 30.0
  /// Seconds between event pings, and timeout without a sign of life.
  package var pingSeconds = 20.0
  package var silenceSeconds = 60.0
  /// Minimum seconds between two state messages to a client.
  package var stateSeconds = 0.2
  /// Maximum delay of a fragment in seconds before its viewer counts as slow.
  package var lateSeconds = 0.5
  /// Minimum seconds between two key-frame requests for a stream.
  package var keyFrameSeconds = 0.5
  /// Timeout in seconds for shutting down.
  package var finishSeconds = 2.5

  /// The default limits.
  package init() {}

  /// The limits, with connections capped to the available descriptors; without any left, not even a refusal would be
  /// possible.
  var fittingDescriptors: Limits {
    var (limits, most) = (self, rlimit())
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &most) == 0 else { return limits }
    let others = 32
    limits.connections = max(1, min(connections, Int(clamping: most.rlim_cur) - others))
    return limits
  }

  /// Output bytes queued per connection: not writable above the first, until below the second.
  static let (highWater, lowWater) = (1 << 20, 128 << 10)
  /// Maximum bytes per write.
  static let piece = 64 << 10
}
