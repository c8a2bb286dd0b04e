internal import Foundation
internal import Synchronization
internal import Threads

/// SIGINT, SIGTERM and SIGHUP: the first asks for an orderly end, a second one stops at once. One at a time.
///
/// Before there is one, and where the system has no thread for it, a signal ends the process at once.
final class Interruption {
  /// What the signals did before.
  private var previous: [(signal: Int32, action: sigaction)] = []
  private let threads = ThreadGroup()

  /// - Parameters:
  ///   - first: Called once, on a thread of its own.
  ///   - second: Called before the process ends at once.
  init(first: @escaping @Sendable () -> Void, second: @escaping @Sendable () -> Void) {
    SignalState.shared.begin()
    do {
      try threads.start { SignalState.shared.serve(first: first, second: second) }
    } catch {
      // The system's way with signals is the safest then.
      return
    }
    // The last moment of an end that should have been at once.
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

  /// Lets signals come that whoever started the program had blocked, as threads of a pool do; they would never end it.
  static func unblock() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGALRM] { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Under nohup the process stays when its terminal goes.
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

  /// The exit status that the received signal asks for; nil where none came.
  var status: ExitStatus? {
    switch SignalState.shared.first {
    case SIGINT: .interrupted
    case SIGTERM: .terminated
    case SIGHUP: .hungUp
    default: nil
    }
  }
}
