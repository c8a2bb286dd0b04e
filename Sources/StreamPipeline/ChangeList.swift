internal import Foundation

/// Changes to make between two frames, in the order of the calls.
final class ChangeList: @unchecked Sendable {
  // @unchecked: every variable is read and written with `lock` locked; `NSLock` as in `RunRecord`.
  struct Change: Sendable {
    let name: String
    let body: @Sendable () throws -> Void
  }

  private let lock = NSLock()
  private var waiting: [Change] = []
  private var isClosed = false

  /// - Returns: false after `close()`: the change is not kept.
  func add(_ change: Change) -> Bool {
    lock.withLock {
      if !isClosed { waiting.append(change) }
      return !isClosed
    }
  }

  /// Removes and returns all pending changes.
  func take() -> [Change] {
    lock.withLock {
      defer { waiting = [] }
      return waiting
    }
  }

  /// Accepts no more changes.
  func close() { lock.withLock { isClosed = true } }
}
