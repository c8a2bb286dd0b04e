internal import Foundation
internal import Synchronization

/// SIGINT, SIGTERM and SIGHUP: the first asks for an orderly end, a second one stops at once.
final class Interruption: @unchecked Sendable {
  // @unchecked: dispatch sources may be used from any thread, and these are only kept.
  private let sources: [any DispatchSourceSignal]
  /// What the signals did before.
  private let previous: [(signal: Int32, handler: (@convention(c) (Int32) -> Void)?)]
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
    let before = [SIGINT, SIGTERM, SIGHUP].map { number in (signal: number, handler: signal(number, SIG_IGN)) }
    previous = before
    sources = before.compactMap { number, handler in
      // Under nohup the process stays when its terminal goes.
      if number == SIGHUP, unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
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

  deinit {
    sources.forEach { $0.cancel() }
    for (number, handler) in previous { signal(number, handler) }
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
