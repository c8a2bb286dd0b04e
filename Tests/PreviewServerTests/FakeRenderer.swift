import Foundation
import PreviewProtocol
import ProcessLink
import Synchronization

/// The other end of the server's link: keeps what is reported, so that tests can wait for it.
final class FakeRenderer: @unchecked Sendable {
  private let link: RendererLink
  /// Guards `reports`.
  private let condition = NSCondition()
  private var reports: [ServerReport] = []
  private var hasEnded = false
  /// Streams that have their initialization.
  private let begun = Mutex<Set<Int>>([])

  init(descriptor: Int32) throws {
    link = RendererLink(descriptor: descriptor)
    Thread.detachNewThread { [self] in
      while let report = try? link.receive() { change { reports.append(report) } }
      change { hasEnded = true }
    }
  }

  private func change(_ body: () -> Void) {
    condition.lock()
    body()
    condition.broadcast()
    condition.unlock()
  }

  func send(_ message: ServerMessage) { try? link.send(message) }

  /// Dies without a word.
  func die() { link.close() }

  /// Waits for a report, which is forgotten.
  func next<Value>(_ select: (ServerReport) -> Value?) -> Value? {
    let limit = Date() + 60
    condition.lock()
    defer { condition.unlock() }
    while true {
      for (index, report) in reports.enumerated() {
        guard let value = select(report) else { continue }
        reports.remove(at: index)
        return value
      }
      guard !hasEnded, condition.wait(until: limit) else { return nil }
    }
  }

  /// The number of the next viewer, and what its device asks.
  func nextViewer() -> (viewer: Int, query: [String: String])? {
    next { if case .joined(let viewer, let query) = $0 { (viewer, query) } else { nil } }
  }

  func nextRequest() -> (id: Int, request: ServerRequest)? {
    next { if case .request(let id, let request) = $0 { (id, request) } else { nil } }
  }

  /// A viewer that has gone.
  func nextFarewell() -> Int? { next { if case .left(let viewer) = $0 { viewer } else { nil } } }

  func nextKeyFrame() -> Int? { next { if case .needsKeyFrame(let stream) = $0 { stream } else { nil } } }

  /// Reports that have not been read yet.
  var rest: [ServerReport] {
    condition.lock()
    defer { condition.unlock() }
    return reports
  }

  /// Gives the next viewer a stream.
  @discardableResult func accept(stream: Int = 1) -> Int? {
    guard let viewer = nextViewer()?.viewer else { return nil }
    let offer = StreamOffer(stream: stream, contentType: "video/mp4", description: #"{"display":"Grün"}"#)
    if begun.withLock({ $0.insert(stream).inserted }) {
      send(.initialization(stream: stream, bytes: Array("init".utf8)))
    }
    send(.accepted(viewer: viewer, offer))
    return viewer
  }

  func sendFragment(_ text: String, isKey: Bool, stream: Int = 1, padding: Int = 0) {
    let bytes = Array(text.utf8) + [UInt8](repeating: 0x2E, count: padding)
    send(.fragment(stream: stream, .init(isKey: isKey, sequence: 1), bytes: bytes))
  }
}
