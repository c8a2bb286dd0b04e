internal import Foundation

/// A first-in first-out queue between two threads in which so many elements wait and no more.
final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  // @unchecked: every variable is read and written with `condition` locked.
  private let capacity: Int
  private let condition = NSCondition()
  private var elements: [Element] = []
  private var isFinished = false
  private var isAbandoned = false

  /// - Parameter capacity: Elements that may wait while the next is made; 0 hands each one over.
  init(capacity: Int) {
    self.capacity = max(capacity, 0)
    elements.reserveCapacity(self.capacity + 1)
  }

  /// Adds an element, and returns when no more than the capacity wait.
  /// - Returns: false when nobody will take it.
  func push(_ element: Element) -> Bool {
    condition.withLock {
      guard !isAbandoned else { return false }
      elements.append(element)
      condition.broadcast()
      while elements.count > capacity, !isAbandoned { condition.wait() }
      return !isAbandoned
    }
  }

  /// The oldest element, when there is one; nil when no more come.
  func pop() -> Element? {
    condition.withLock {
      while elements.isEmpty, !isFinished, !isAbandoned { condition.wait() }
      guard !elements.isEmpty, !isAbandoned else { return nil }
      condition.broadcast()
      return elements.removeFirst()
    }
  }

  /// No more elements come; those inside are still handed out.
  func finish() {
    condition.withLock {
      isFinished = true
      condition.broadcast()
    }
  }

  /// Drops what is inside; both sides stop waiting.
  func abandon() {
    condition.withLock {
      isAbandoned = true
      elements.removeAll()
      condition.broadcast()
    }
  }
}
