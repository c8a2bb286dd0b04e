internal import Dispatch
internal import PreviewProtocol
internal import ProcessLink
internal import Synchronization
internal import Threads

/// Sends reports from a thread of its own: the renderer may be slow to read, and the event loop must not wait.
final class ReportQueue: Sendable {
  /// Reports that may wait; those who ask are limited elsewhere.
  private static let most = 10_000
  private let waiting = Mutex<[ServerReport]>([])
  private let signal = DispatchSemaphore(value: 0)
  private let link: NetworkLink

  init(_ link: NetworkLink, threads: ThreadGroup) throws(ThreadError) {
    self.link = link
    try threads.start { [self] in
      while sendNext() {}
      // Whoever reads finds the end.
      link.close()
    }
  }

  /// - Returns: False if the renderer has not read for so long that nothing more is kept.
  @discardableResult func send(_ report: ServerReport) -> Bool {
    let isKept = waiting.withLock {
      guard $0.count < Self.most || report.isFarewell else { return false }
      $0.append(report)
      return true
    }
    if isKept { signal.signal() }
    return isKept
  }

  /// Everything has been said: the thread ends when it is sent.
  func end() { signal.signal() }

  private func sendNext() -> Bool {
    signal.wait()
    let next = waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let next else { return false }
    do { try link.send(next) } catch { return false }
    return true
  }
}

extension ServerReport {
  /// The renderer counts on hearing that a viewer has left: without it, a stream would be encoded for nobody.
  fileprivate var isFarewell: Bool {
    if case .left = self { return true }
    return false
  }
}
