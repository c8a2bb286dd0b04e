internal import Dispatch
internal import PreviewProtocol
internal import ProcessLink
internal import Synchronization
internal import Threads

/// Sends reports on a separate thread, because the renderer may read slowly and the event loop must not block.
final class ReportQueue: Sendable {
  /// Maximum number of queued reports; requests are limited elsewhere.
  private static let most = 10_000
  private let waiting = Mutex<[ServerReport]>([])
  private let signal = DispatchSemaphore(value: 0)
  private let link: NetworkLink

  init(_ link: NetworkLink, threads: ThreadGroup) throws(ThreadError) {
    self.link = link
    try threads.start { [self] in
      while sendNext() {}
      // The reader gets an end of file.
      link.close()
    }
  }

  /// - Returns: false if the queue is full because the renderer does not read.
  @discardableResult func send(_ report: ServerReport) -> Bool {
    let isKept = waiting.withLock {
      guard $0.count < Self.most || report.isFarewell else { return false }
      $0.append(report)
      return true
    }
    if isKept { signal.signal() }
    return isKept
  }

  /// Ends the thread after the last queued report.
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
  /// Whether the renderer relies on the report: if a viewer's departure were lost, its stream would be encoded
  /// needlessly.
  fileprivate var isFarewell: Bool {
    if case .left = self { return true }
    return false
  }
}
