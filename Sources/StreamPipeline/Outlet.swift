internal import Foundation
internal import Frames
internal import Media

/// Rendered frames that wait for one sink, between the rendering thread and the sink's.
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

  /// - Parameter depth: Items that may wait with `.everyFrame`; 0 hands each one over.
  init(_ output: StreamPipeline.Output, depth: Int) {
    self.output = output
    self.depth = depth
  }

  /// Adds an item; never waits.
  /// - Returns: The frame that was dropped to make room.
  func offer(_ item: Item) -> CodedFrame? {
    condition.withLock {
      guard !isClosed else { return nil }
      defer { condition.broadcast() }
      if let limit = output.policy.limit { return queue.append(item, keepingFrames: limit) }
      queue.append(item)
      return nil
    }
  }

  /// With `.everyFrame`, waits until no more items than the depth wait, or the outlet is closed.
  func waitForRoom() {
    guard output.policy == .everyFrame else { return }
    condition.withLock {
      while queue.count > depth, !isClosed { condition.wait() }
    }
  }

  /// Waits for the oldest item; nil when no more come.
  func next() -> Item? {
    condition.withLock {
      while queue.isEmpty, !isFinished, !isClosed { condition.wait() }
      guard !queue.isEmpty else { return nil }
      condition.broadcast()
      return queue.removeFirst()
    }
  }

  /// No more items come; those inside are still handed out.
  func finish() {
    condition.withLock {
      isFinished = true
      condition.broadcast()
    }
  }

  /// Drops all items; both sides stop waiting.
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

  /// `close()` was called: what is left of an item is not written.
  var isAbandoned: Bool { condition.withLock { isClosed } }

  /// `interrupt()` was called.
  var isInterrupted: Bool { condition.withLock { wasInterrupted } }

  /// The sink gets no more calls: its thread ends.
  func end() {
    condition.withLock {
      hasEnded = true
      condition.broadcast()
    }
  }

  /// Waits until the sink gets no more calls.
  /// - Parameter limit: nil: for as long as it takes.
  /// - Returns: false if that was not so by `limit`.
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
