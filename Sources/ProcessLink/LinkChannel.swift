internal import Glibc
internal import Synchronization

/// One end of the link between two processes.
///
/// Messages from several threads are sent one after the other; each arrives completely or the channel fails.
public final class LinkChannel<Outgoing: LinkMessage, Incoming: LinkMessage>: Sendable {
  private let socket: LinkSocket
  /// Held while sending; true after a failure, when a message may be incomplete.
  private let hasFailed = Mutex(false)
  /// Timeout in seconds for the other process to read.
  private let patience: Double

  /// - Parameters:
  ///   - descriptor: A stream socket, which the channel closes when it is released.
  ///   - patience: Timeout in seconds for `send` if the other process does not read.
  public init(descriptor: Int32, patience: Double = 5) {
    socket = LinkSocket(descriptor: descriptor)
    self.patience = patience
  }

  /// Sends a message; blocks until the other process has read enough of the previous ones.
  /// - Throws: `LinkError.isTooLong` leaves the channel usable; after any other error, messages are refused with
  ///   `.isClosed`.
  public func send(_ message: Outgoing) throws(LinkError) {
    let (kind, json, bytes) = try message.kindAndValues
    let frame = LinkFrame(kind: kind, json: json, bytes: bytes)
    let start = try frame.header(upTo: Outgoing.largest) + json
    try hasFailed.withLock { (hasFailed) throws(LinkError) in
      guard !hasFailed else { throw .isClosed }
      let deadline = SuspendingClock.now + .seconds(patience)
      do throws(LinkError) {
        try socket.write(start, until: deadline)
        try socket.write(bytes, until: deadline)
      } catch {
        hasFailed = true
        throw error
      }
    }
  }

  /// Waits for the next message; must be called by one thread at a time.
  /// - Returns: nil if the other process has exited, or the channel was closed.
  public func receive() throws(LinkError) -> Incoming? {
    guard let bytes = try socket.read(LinkFrame.headerLength, mayEnd: true) else { return nil }
    let header = try LinkFrame.Header(bytes, upTo: Incoming.largest)
    guard let json = try socket.read(header.json, mayEnd: false),
      let rest = try socket.read(header.bytes, mayEnd: false)
    else { return nil }
    return try Incoming(kind: header.kind, json: json, bytes: rest)
  }

  /// Closes both directions: the other process reads end of file, and `receive` returns.
  public func close() { socket.shutDown() }
}
