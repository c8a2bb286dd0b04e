internal import Foundation
internal import Synchronization
internal import Threads

/// SIGINT, SIGTERM and SIGHUP: the first one requests an orderly end, a second one stops immediately. Only one instance
/// may exist at a time.
///
/// Without an instance, or if the system cannot create its thread, a signal ends the process immediately.
final class Interruption {
  /// Previous signal actions.
  private var previous: [(signal: Int32, action: sigaction)] = []
  private let threads = ThreadGroup()

  /// - Parameters:
  ///   - first: Called once, on a separate thread.
  ///   - second: Called before an immediate exit.
  init(first: @escaping @Sendable () -> Void, second: @escaping @Sendable () -> Void) {
    SignalState.shared.begin()
    do {
      try threads.start { SignalState.shared.serve(first: first, second: second) }
    } catch {
      // Default signal handling is the safest fallback.
      return
    }
    // The deadline for an immediate exit.
    install(SIGALRM, { _ in SignalState.shared.endNow() })
    for number in [SIGINT, SIGTERM, SIGHUP] where !(number == SIGHUP && isIgnored(number)) {
      install(number, { number in SignalState.shared.receive(number) })
    }
  }

  deinit {
    alarm(0)
    for (number, action) in previous {
      var action = action
      unsafe sigaction(number, &action, nil)
    }
    SignalState.shared.end()
    threads.wait()
  }

  /// Unblocks signals that the parent process has blocked, as pool threads do; otherwise they would never end the
  /// program.
  static func unblock() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGALRM] { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Returns whether a signal is ignored, as under nohup, where the process survives its terminal.
  private func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    unsafe sigaction(number, nil, &action)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  private func install(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var (action, before) = (sigaction(), sigaction())
    unsafe action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    unsafe sigaction(number, &action, &before)
    previous.append((number, before))
  }

  /// The exit status for the received signal; nil if there was none.
  var status: ExitStatus? {
    switch SignalState.shared.first {
    case SIGINT: .interrupted
    case SIGTERM: .terminated
    case SIGHUP: .hungUp
    default: nil
    }
  }
}
