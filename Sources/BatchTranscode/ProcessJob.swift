internal import Files
internal import Foundation
internal import Media
internal import ProcessLink
public import Sessions
internal import Synchronization
internal import Threads

/// Converts a film in a separate process: a file that crashes a decoder ends that process only, and its memory is
/// freed. Encoders in one process would share tables.
public final class ProcessJob: FilmJob {
  private let order: FilmOrder
  private let program: String
  private let arguments: [String]
  private let wording: Wording
  private let running = Mutex(Running())

  private struct Running {
    var isCancelled = false
    var link: LibraryLink?
  }

  /// Timeout in seconds for the other process to accept a message, even when it gets no CPU time.
  fileprivate static let patience = 600.0

  /// - Parameters:
  ///   - order: The film.
  ///   - program: Path of the executable.
  ///   - arguments: Arguments that make it call `SessionJob.serve`.
  ///   - wording: Words the errors of a process that did not start or has died.
  public init(_ order: FilmOrder, program: String, arguments: [String], wording: Wording) {
    (self.order, self.program, self.arguments, self.wording) = (order, program, arguments, wording)
  }

  public func cancel() {
    let link = running.withLock { running in
      running.isCancelled = true
      return running.link
    }
    try? link?.send(JSONMessage(.cancel))
  }

  /// Closes the link: the other process reads the end of its input.
  public func discard() { running.withLock { $0.link }?.close() }

  public func run(_ hear: @escaping @Sendable (FilmEvent) -> Void) -> FilmResult {
    let process: ChildProcess, link: LibraryLink
    do throws(ChildProcess.Failure) {
      (process, link) = try start()
    } catch {
      let reason = unsafe String(cString: strerror(error.code))
      return failed("film-process-not-started", "'\(program)' cannot be started: \(reason).")
    }
    let isCancelled = running.withLock { running in
      running.link = link
      return running.isCancelled
    }
    if isCancelled { link.close() }
    let result = converse(link, hear)
    link.close()
    let status = process.wait()
    if let result { return result }
    // Removes unfinished output that it left behind.
    if let output = order.request.output { _ = OutputFile.isBeingWritten(output) }
    // It may have been cancelled before it received the order.
    if running.withLock({ $0.isCancelled }) { return FilmResult(.stopped(partial: nil)) }
    return failed("film-process-ended", "The process that converted it \(Self.ending(status)).")
  }

  /// - Parameter status: Exit status, or 128 plus a signal number.
  private static func ending(_ status: Int32) -> String {
    guard status > 128 else { return "ended without a result (exit status \(status))" }
    let signal = status - 128
    return "was ended by signal \(signal) (\(unsafe String(cString: strsignal(signal))))"
  }

  private func failed(_ code: Message.Code, _ text: MessageText) -> FilmResult {
    FilmResult(.failed(reason: wording.text(Message(code, text)), .failed))
  }

  private func start() throws(ChildProcess.Failure) -> (ChildProcess, LibraryLink) {
    guard let ends = try? LinkSockets.pair() else { throw ChildProcess.Failure(code: errno) }
    defer { close(ends.child) }
    let link = LibraryLink(descriptor: ends.parent, patience: Self.patience)
    return (try ChildProcess(program, arguments, input: .descriptor(ends.child)), link)
  }

  /// - Returns: nil if the other process ended without a result.
  private func converse(_ link: LibraryLink, _ hear: (FilmEvent) -> Void) -> FilmResult? {
    guard (try? link.send(JSONMessage(.convert(order)))) != nil else { return nil }
    // cancel() may have been called before the order was sent.
    if running.withLock({ $0.isCancelled }) { try? link.send(JSONMessage(.cancel)) }
    while let message = try? link.receive() {
      switch message.value {
      case .event(let event): hear(event)
      case .result(let result): return result
      }
    }
    return nil
  }
}

extension SessionJob {
  /// Converts the film ordered over a socket.
  /// - Parameters:
  ///   - descriptor: The socket.
  ///   - wording: Words the report and the reason for a failure.
  /// - Returns: false if the other process has exited; unfinished output was removed.
  public static func serve(descriptor: Int32, wording: Wording) -> Bool {
    let link = FilmLink(descriptor: descriptor, patience: ProcessJob.patience)
    guard case .convert(let order)? = try? link.receive()?.value else { return false }
    let job = SessionJob(order, wording: wording)
    // Without this thread the film cannot be cancelled, but still gives a result.
    try? SystemThread.start {
      while let message = try? link.receive() {
        if message.value == .cancel { job.cancel() }
      }
      // The process that ordered the film has exited.
      job.discard()
      _exit(1)
    }
    let result = job.run { try? link.send(JSONMessage(.event($0))) }
    return (try? link.send(JSONMessage(.result(result)))) != nil
  }
}
