package import Sessions
internal import Synchronization

/// The events of a session, in order.
package final class EventLog: Sendable {
  private let entries = Mutex<[Session.Event]>([])

  package init() {}

  package func add(_ event: Session.Event) { entries.withLock { $0.append(event) } }

  package var events: [Session.Event] { entries.withLock { $0 } }

  package var names: [String] {
    events.map { event in
      switch event {
      case .message(_, let severity): severity.rawValue
      case .began: "began"
      case .progress(let progress): progress.isLast ? "last" : "progress"
      case .finished: "finished"
      case .pipeline: "pipeline"
      case .module: "library"
      case .ended: "ended"
      }
    }
  }

  /// The steps of runs, without what lies between.
  package var steps: [String] { names.filter { !["note", "warning", "progress", "pipeline"].contains($0) } }
}
