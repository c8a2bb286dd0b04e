internal import Dispatch
internal import NIOCore
internal import PreviewProtocol
internal import ProcessLink
internal import Threads

/// Reads the renderer's messages on a separate thread and passes them to the event loop.
enum MessageReader {
  /// Maximum number of messages to read ahead of the event loop.
  private static let ahead = 16

  /// - Parameters:
  ///   - handle: Called on the event loop, in order.
  ///   - end: Called there when the link ends.
  static func start(
    _ link: NetworkLink, on loop: any EventLoop, threads: ThreadGroup,
    handle: @escaping @Sendable (ServerMessage) -> Void,
    end: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    let room = DispatchSemaphore(value: ahead)
    try threads.start {
      // An invalid message ends the link: nothing after it could be parsed.
      while let message = try? link.receive() {
        room.wait()
        loop.execute {
          handle(message)
          room.signal()
        }
      }
      loop.execute(end)
    }
  }
}
