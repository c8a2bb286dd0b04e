internal import Files
internal import Foundation
internal import PreviewProtocol
internal import ProcessLink
internal import Sessions
internal import Synchronization
internal import Threads

/// The network process, as seen by the rendering process: start, messages, end.
final class ServerProcess: Sendable {
  /// Address on which it listens.
  let listening: ServerReport.Listening
  private let process: ChildProcess
  private let link: RendererLink
  private let threads = ThreadGroup()
  private let isFinishing = Atomic(false)

  /// Timeouts in seconds for starting to listen, and for closing client connections.
  private static let (startPatience, endPatience) = (20.0, 5.0)

  /// Starts the process, and waits until it listens.
  /// - Parameter program: Path of its executable.
  /// - Throws: `Refusal` if it cannot start or listen.
  init(_ program: String, _ configuration: ServerConfiguration) throws {
    guard FileStatus(program)?.kind == .regular else {
      throw Refusal.failed(
        "no-server-program",
        "'\(program)' is missing, the program that talks to the network: run `swift build -c release`, and keep both "
          + "programs together.")
    }
    let (process, link) = try Self.start(program)
    (self.process, self.link) = (process, link)
    do {
      listening = try Self.begin(link, configuration)
    } catch {
      process.signal(SIGKILL)
      _ = process.wait()
      throw error
    }
  }

  private static func start(_ program: String) throws -> (ChildProcess, RendererLink) {
    func refused(_ code: Int32) -> Refusal {
      let reason = unsafe String(cString: strerror(code))
      return .failed("server-not-started", "Cannot start '\(program)': \(reason).")
    }
    guard let ends = try? LinkSockets.pair() else { throw refused(errno) }
    defer { close(ends.child) }
    let link = RendererLink(descriptor: ends.parent)
    do throws(ChildProcess.Failure) {
      return (try ChildProcess(program, hasEnvironment: false, input: .descriptor(ends.child)), link)
    } catch {
      throw refused(error.code)
    }
  }

  private static func begin(
    _ link: RendererLink, _ configuration: ServerConfiguration
  ) throws -> ServerReport.Listening {
    let alarm = DispatchWorkItem { link.close() }
    DispatchQueue.global().asyncAfter(deadline: .now() + startPatience, execute: alarm)
    defer { alarm.cancel() }
    do {
      try link.send(.configure(configuration))
      switch try link.receive() {
      case .listening(let place): return place
      case .failed(let reason): throw Refusal.failed("cannot-listen", "\(reason)")
      default: throw Refusal.failed(.serverEnded)
      }
    } catch is LinkError {
      throw Refusal.failed(.serverEnded)
    }
  }

  /// Starts reading its reports on a separate thread.
  /// - Parameters:
  ///   - onReport: Receives its reports.
  ///   - onEnd: Called if it ends before `finish()`.
  /// - Throws: `ThreadError` if no thread can be created.
  func listen(
    onReport: @escaping @Sendable (ServerReport) -> Void, onEnd: @escaping @Sendable () -> Void
  ) throws {
    try threads.start { [self] in
      while let report = try? link.receive() { onReport(report) }
      if !isFinishing.load(ordering: .relaxed) { onEnd() }
    }
  }

  /// Sends a message; drops it if the connection is closed. Gives up a server that does not read.
  func send(_ message: ServerMessage) {
    do {
      try link.send(message)
    } catch .isTooLong {
      guard case .answer(let request, _) = message else { return }
      send(.answer(request: request, .error(500, "The picture is too large to be sent.")))
    } catch {
      link.close()
    }
  }

  /// Ends the process in order, and waits for it.
  func finish() {
    isFinishing.store(true, ordering: .relaxed)
    send(.finish)
    let alarm = DispatchWorkItem { [process] in process.signal(SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.endPatience, execute: alarm)
    _ = process.wait()
    alarm.cancel()
    link.close()
    threads.wait()
  }
}
