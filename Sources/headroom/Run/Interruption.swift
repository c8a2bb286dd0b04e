internal import Foundation
internal import Synchronization

/// SIGINT, SIGTERM and SIGHUP: the first asks for an orderly end, a second one stops at once.
final class Interruption: @unchecked Sendable {
  // @unchecked: dispatch sources may be used from any thread, and these are only kept.
  private let sources: [any DispatchSourceSignal]
  private let received: Box

  private final class Box: Sendable {
    let signal = Atomic<Int32>(0)
  }

  /// - Parameters:
  ///   - first: Called once, on a thread of its own.
  ///   - second: Called before the process ends at once.
  init(first: @escaping @Sendable () -> Void, second: @escaping @Sendable () -> Void) {
    let received = Box()
    self.received = received
    let queue = DispatchQueue(label: "headroom-signals")
    sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
      let before = signal(number, SIG_IGN)
      // Under nohup the process stays when its terminal goes.
      if number == SIGHUP, unsafe unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
        return nil
      }
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if received.signal.exchange(number, ordering: .relaxed) == 0 {
          first()
        } else {
          second()
          _exit(128 + number)
        }
      }
      source.resume()
      return source
    }
  }

  /// The exit status that the received signal asks for; nil where none came.
  var status: ExitStatus? {
    switch received.signal.load(ordering: .relaxed) {
    case SIGINT: .interrupted
    case SIGTERM: .terminated
    case SIGHUP: .hungUp
    default: nil
    }
  }
}
