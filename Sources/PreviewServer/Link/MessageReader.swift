internal import Dispatch
internal import NIOCore
internal import PreviewProtocol
internal import ProcessLink
internal import Threads

/// Reads messages of the renderer on a thread of its own and hands them to the event loop.
enum MessageReader {
  /// Messages that are read ahead of the event loop.
  private static let ahead = 16

  /// - Parameters:
  ///   - handle: Called on the event loop, in order.
  ///   - end: Called there when the link has ended.
  static func start(
    _ link: NetworkLink, on loop: any EventLoop, threads: ThreadGroup,
    handle: @escaping @Sendable (ServerMessage) -> Void,
    end: @escaping @Sendable () -> Void
  ) throws(ThreadError) {
    let room = DispatchSemaphore(value: ahead)
    try threads.start {
      // A message that is none ends the link as its end does: nothing that follows could be understood.
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
