internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

/// Accepts connections and sets up their handlers.
struct Listener: Sendable {
  /// The shared state; no connection is accepted before it is set.
  let hub: NIOLoopBoundBox<Hub?>
  private let tls: NIOSSLContext?
  private let loop: any EventLoop

  init(tls: NIOSSLContext?, loop: any EventLoop) {
    (self.tls, self.loop) = (tls, loop)
    hub = .makeEmptyBox(valueType: Hub.self, eventLoop: loop)
  }

  /// There are too many connections, or the server is shutting down.
  private struct Crowded: Error {}

  /// With TCP keep-alive, a lost peer is noticed after a minute, even while a stream is idle.
  private static let options: [(option: CInt, value: Int)] = [
    (TCP_KEEPIDLE, 30), (TCP_KEEPINTVL, 10), (TCP_KEEPCNT, 3), (notSentLowWater, Limits.lowWater),
  ]

  /// Linux's `TCP_NOTSENT_LOWAT`, missing in the C headers: output should queue here, where fragments can be skipped,
  /// rather than in the kernel.
  private static let notSentLowWater: CInt = 25

  /// Listens on the entrance's socket.
  func accept(from entrance: Entrance) throws(ServingError) -> any Channel {
    var bootstrap = ServerBootstrap(group: loop)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.socketOption(.so_keepalive), value: 1)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16 << 10))
      .childChannelOption(
        .writeBufferWaterMark,
        value: ChannelOptions.Types.WriteBufferWaterMark(low: Limits.lowWater, high: Limits.highWater)
      )
      .childChannelInitializer { [hub, tls] channel in
        channel.eventLoop.makeCompletedFuture {
          guard let hub = hub.value else { throw Crowded() }
          try Self.accept(channel, hub, tls)
        }
      }
    for (option, value) in Self.options {
      bootstrap = bootstrap.childChannelOption(
        ChannelOptions.Types.SocketOption(level: .tcp, name: .init(rawValue: option)), value: SocketOptionValue(value))
    }
    do { return try bootstrap.withBoundSocket(entrance.socket).wait() } catch {
      throw .system((error as? IOError)?.errnoCode ?? EINVAL)
    }
  }

  private static func accept(_ channel: any Channel, _ hub: Hub, _ tls: NIOSSLContext?) throws {
    let connection = Connection(
      address: ClientAddress(channel.remoteAddress), limits: hub.limits, counts: hub.counts)
    guard !hub.isFinishing, let number = hub.connections.add(connection) else {
      hub.counts.crowded += 1
      throw Crowded()
    }
    channel.closeFuture.assumeIsolated().whenComplete { _ in hub.connections.remove(number) }
    let pipeline = channel.pipeline.syncOperations
    if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
    try pipeline.addHandler(connection)
    let codec = HTTPCodec(limits: hub.limits)
    try codec.add(to: pipeline)
    try pipeline.addHandler(RequestHandler(hub: hub, connection: connection, codec: codec))
  }
}
