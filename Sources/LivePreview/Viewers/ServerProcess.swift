internal import Files
internal import Foundation
internal import PreviewProtocol
internal import ProcessLink
internal import Sessions
internal import Synchronization
internal import Threads

/// The network process, as the rendering process has it: started, talked to, and ended.
final class ServerProcess: Sendable {
  /// Where it listens.
  let listening: ServerReport.Listening
  private let process: ChildProcess
  private let link: RendererLink
  private let threads = ThreadGroup()
  private let isFinishing = Atomic(false)

  /// Seconds that it may take to listen, and to say goodbye to its clients.
  private static let (startPatience, endPatience) = (20.0, 5.0)

  /// Starts it, and waits until it listens.
  /// - Parameter program: Its file.
  /// - Throws: `Refusal` if it cannot be started, or cannot listen.
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

  /// Begins to listen to what it tells, on a thread of its own.
  /// - Parameters:
  ///   - onReport: Gets what it tells.
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

  /// Tells it something; what cannot be told any more is dropped. A server that does not listen is given up.
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

  /// Ends it properly, and waits until it has ended.
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
