internal import Foundation
internal import Frames
internal import Media

/// Rendered frames queued for one sink, between the rendering thread and the sink's.
final class Outlet: @unchecked Sendable {
  // @unchecked: every variable is read and written with `condition` locked.
  let output: StreamPipeline.Output
  private let depth: Int
  private let condition = NSCondition()
  private var queue = ItemQueue()
  private var isFinished = false
  private var isClosed = false
  private var hasEnded = false
  private var wasInterrupted = false

  /// - Parameter depth: Maximum number of queued items with `.everyFrame`; 0 hands each one over.
  init(_ output: StreamPipeline.Output, depth: Int) {
    self.output = output
    self.depth = depth
  }

  /// Adds an item; never blocks.
  /// - Returns: The frame that was dropped if the queue was full.
  func offer(_ item: Item) -> CodedFrame? {
    condition.withLock {
      guard !isClosed else { return nil }
      defer { condition.broadcast() }
      if let limit = output.policy.limit { return queue.append(item, keepingFrames: limit) }
      queue.append(item)
      return nil
    }
  }

  /// With `.everyFrame`, blocks until no more items than the depth are queued, or the outlet is closed.
  func waitForRoom() {
    guard output.policy == .everyFrame else { return }
    condition.withLock {
      while queue.count > depth, !isClosed { condition.wait() }
    }
  }

  /// Waits for the oldest item; nil: no more items.
  func next() -> Item? {
    condition.withLock {
      while queue.isEmpty, !isFinished, !isClosed { condition.wait() }
      guard !queue.isEmpty else { return nil }
      condition.broadcast()
      return queue.removeFirst()
    }
  }

  /// Accepts no more items; queued ones are still handed out.
  func finish() {
    condition.withLock {
      isFinished = true
      condition.broadcast()
    }
  }

  /// Drops all items and unblocks both sides.
  func close() {
    condition.withLock {
      isClosed = true
      queue.removeAll()
      condition.broadcast()
    }
  }

  /// Closes the outlet, and makes a blocked call of the sink return.
  func interrupt() {
    close()
    condition.withLock { wasInterrupted = true }
    output.sink.interrupt()
  }

  /// Whether `close()` was called: the rest of an item is not written.
  var isAbandoned: Bool { condition.withLock { isClosed } }

  /// Whether `interrupt()` was called.
  var isInterrupted: Bool { condition.withLock { wasInterrupted } }

  /// Marks the sink's thread as ended: it makes no more calls.
  func end() {
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
  }

  /// Waits until the sink receives no more calls.
  /// - Parameter limit: Deadline; nil: none.
  /// - Returns: false if the deadline passed.
  func waitForEnd(until limit: Date? = nil) -> Bool {
    condition.withLock {
      while !hasEnded {
        guard let limit else {
          condition.wait()
          continue
        }
        if !condition.wait(until: limit) { return hasEnded }
      }
      return true
    }
  }
}
