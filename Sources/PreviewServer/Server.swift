internal import Glibc
internal import NIOCore
internal import NIOPosix
internal import PreviewProtocol
internal import ProcessLink
internal import Synchronization
internal import Threads

/// The network process: serves content from the renderer at the other end of a link.
public final class Server: Sendable {
  private let link: NetworkLink
  private let limits: Limits
  private let isStopped = Atomic(false)

  /// - Parameter descriptor: The link's socket, which the server closes.
  public convenience init(descriptor: Int32) { self.init(descriptor: descriptor, limits: Limits()) }

  /// Creates a server with other limits, for tests.
  package init(descriptor: Int32, limits: Limits) {
    link = NetworkLink(descriptor: descriptor)
    self.limits = limits
  }

  /// Serves until the renderer ends it, or `stop` is called.
  /// - Parameter opened: Called once everything that needs privileges is open, before other threads start.
  /// - Returns: The exit status: 0 if it ended as above, 1 if it could not start or the renderer has died.
  public func run(opened: () throws -> Void = {}) -> Int32 {
    guard case .configure(let configuration)? = try? link.receive() else { return 1 }
    let entrance = Result { () throws(ServingError) in try Entrance(configuration) }
    guard (try? opened()) != nil else { return 1 }
    let threads = ThreadGroup()
    guard let reports = try? ReportQueue(link, threads: threads) else { return 1 }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    var status: Int32 = 1
    do throws(ServingError) {
      let server = try ServingLoop(entrance.get(), limits: limits, loop: group.next(), reports: reports)
      status = server.run(link, threads: threads)
    } catch { reports.send(.failed(reason: error.description)) }
    // The link is closed when all reports are sent; that ends its reading thread.
    reports.end()
    threads.wait()
    // The event loop's thread ends with the process. NIO would end it with Dispatch workers, which read /proc once a
    // second and trap where Landlock denies that.
    return isStopped.load(ordering: .relaxed) ? 0 : status
  }

  /// Shuts down gracefully, as when the renderer ends the preview.
  public func stop() {
    isStopped.store(true, ordering: .relaxed)
    link.close()
  }
}
