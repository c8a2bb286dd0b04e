internal import Foundation
internal import Synchronization

/// Handles SIGINT and SIGTERM: kills the running child and ends after the current measurement, so that the code that
/// created temporary files removes them.
enum Signals {
  /// Thrown at the next check after a signal.
  struct Received: Error {
    let signal: Int32
  }

  private struct State {
    var signal: Int32?
    var child: pid_t?
  }

  private static let state = Mutex(State())
  // Never changed after `install`; only retained.
  nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []

  static func install() {
    unsafe sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: DispatchQueue(label: "bench-signals"))
      source.setEventHandler {
        state.withLock {
          $0.signal = number
          if let child = $0.child { kill(child, SIGKILL) }
        }
      }
      source.resume()
      return source
    }
  }

  static func check() throws {
    if let signal = state.withLock({ $0.signal }) { throw Received(signal: signal) }
  }

  /// Sets the child that a signal kills; nil before it is reaped, because its PID may be reused.
  static func setChild(_ child: pid_t?) {
    state.withLock {
      $0.child = child
      if $0.signal != nil, let child { kill(child, SIGKILL) }
    }
  }
}
