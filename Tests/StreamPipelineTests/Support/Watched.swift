import Foundation
import Testing

/// A value that threads wait on. What does not come within a minute is an error of the test, not a hang.
final class Watched<Value: Sendable>: @unchecked Sendable {
  // @unchecked: `stored` is read and written with `condition` locked.
  private let condition = NSCondition()
  private var stored: Value

  init(_ value: Value) { stored = value }

  var value: Value { condition.withLock { stored } }

  func update(_ body: (inout Value) -> Void) {
    condition.withLock {
      body(&stored)
      condition.broadcast()
    }
  }

  /// Waits until `isReached`.
  func wait(_ location: SourceLocation = #_sourceLocation, until isReached: (Value) -> Bool) {
    let end = Date(timeIntervalSinceNow: 60)
    condition.withLock {
      while !isReached(stored) {
        guard condition.wait(until: end) else {
          Issue.record("A minute has passed.", sourceLocation: location)
          return
        }
      }
    }
  }
}

/// Opens once.
typealias Gate = Watched<Bool>

extension Watched where Value == Bool {
  static func closed() -> Gate { Gate(false) }

  func open() { update { $0 = true } }

  func waitUntilOpen(_ location: SourceLocation = #_sourceLocation) { wait(location) { $0 } }
}
