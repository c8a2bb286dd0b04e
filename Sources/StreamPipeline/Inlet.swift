internal import Foundation
internal import Frames

/// Frames queued for rendering, between the thread that supplies them and the one that renders.
///
/// The reading thread of a file blocks in `push(_:)` while the inlet is full. A live source never blocks in
/// `deliver(_:lost:)`: the oldest frame is replaced.
final class Inlet: @unchecked Sendable {
  // @unchecked: every variable is read and written with `condition` locked.

  /// The result of `next()` for the rendering thread.
  enum Answer {
    /// The next item. `isStep`: the pipeline is paused, and `step()` released the item.
    case item(Item, isStep: Bool)
    /// The pipeline is paused; reported once.
    case held
    /// The pause has ended; reported once.
    case released
    /// The last frame must be rendered again.
    case redraw
    /// A frame that waited too long; it is dropped.
    case expired(CodedFrame)
    /// No more items.
    case end
  }

  /// The outcome of a delivery.
  enum Delivery {
    case taken
    /// The frame was accepted and replaced the oldest one.
    case replaced(CodedFrame)
    /// The frame was ignored: the run is ending.
    case refused
  }

  /// Counters of a live source.
  struct Tally {
    var lost = 0
    var dropped = 0
  }

  private let capacity: Int
  private let isLive: Bool
  private let maximumAge: Duration?
  private let condition = NSCondition()
  private var queue = ItemQueue()
  private var counts = Tally()
  private var isSourcePaused = false
  private var isEnded = false
  private var isAbandoned = false
  private var isCancelled = false
  private var isHeld = false
  /// The value of `isHeld` last seen by the rendering thread.
  private var isHoldReported = false
  /// Number of frames that may still pass while others are held.
  private var steps = 0
  private var wantsRedraw = false

  /// - Parameters:
  ///   - capacity: Maximum number of queued items of a file, where 0 hands each one over; or frames of a live source,
  ///     at least 1.
  ///   - isLive: Whether the source delivers frames, rather than being read.
  ///   - maximumAge: Frames that arrived longer ago are dropped; nil: no limit.
  init(capacity: Int, isLive: Bool, maximumAge: Duration? = nil) {
    (self.capacity, self.isLive, self.maximumAge) = (capacity, isLive, maximumAge)
  }

  /// State of the source. From any thread.
  var sourceState: StreamPipeline.SourceState { condition.withLock { state } }

  /// Lost and dropped frames so far. From any thread.
  var tally: Tally { condition.withLock { counts } }

  private var state: StreamPipeline.SourceState {
    if !queue.isEmpty { return .ready }
    if isEnded || isAbandoned { return .ended }
    return isSourcePaused ? .paused : .nothingYet
  }

  // MARK: The rendering thread

  /// Blocks until there is an answer.
  func next() -> Answer {
    condition.withLock {
      while true {
        if let answer = answer() {
          condition.broadcast()
          return answer
        }
        condition.wait()
      }
    }
  }

  private func answer() -> Answer? {
    if isAbandoned { return .end }
    if isHeld != isHoldReported {
      isHoldReported = isHeld
      return isHeld ? .held : .released
    }
    if let expired { return .expired(expired) }
    if state == .ready, let item = take() { return item }
    if wantsRedraw {
      wantsRedraw = false
      return .redraw
    }
    // A pause outlasts the end, so that the last frame can be viewed.
    return state == .ended && !isHeld ? .end : nil
  }

  private var expired: CodedFrame? {
    guard let maximumAge, let frame = queue.removeFirst(olderThan: maximumAge) else { return nil }
    counts.dropped += 1
    return frame
  }

  private func take() -> Answer? {
    if !isHeld {
      wantsRedraw = false
      return .item(queue.removeFirst(), isStep: false)
    }
    if steps > 0 {
      let item = queue.removeFirst()
      if item.frame != nil { steps -= 1 }
      return .item(item, isStep: true)
    }
    // A live source keeps delivering. Its frames are replaced by newer ones, but its data would pile up.
    guard isLive else { return nil }
    let data = queue.takePassing()
    return data.isEmpty ? nil : .item(Item(passing: data), isStep: false)
  }

  // MARK: The source's thread

  /// Adds an item that was read, and blocks while more items than the capacity are queued.
  /// - Returns: false if the run is ending and the item will not be rendered.
  func push(_ item: Item) -> Bool {
    condition.withLock {
      guard !isAbandoned else { return false }
      queue.append(item)
      condition.broadcast()
      while queue.count > capacity, !isAbandoned { condition.wait() }
      return !isAbandoned
    }
  }

  /// Adds an item from a live source; never blocks.
  func deliver(_ item: Item, lost: Int) -> Delivery {
    condition.withLock {
      guard !isEnded, !isAbandoned else { return .refused }
      counts.lost += lost
      let dropped = queue.append(item, keepingFrames: capacity)
      condition.broadcast()
      guard let dropped else { return .taken }
      counts.dropped += 1
      return .replaced(dropped)
    }
  }

  /// Records whether a live source is currently delivering.
  /// - Returns: false if nothing changed.
  func setSourcePaused(_ isPaused: Bool) -> Bool {
    condition.withLock {
      guard !isEnded, !isAbandoned, isSourcePaused != isPaused else { return false }
      isSourcePaused = isPaused
      return true
    }
  }

  /// Accepts no more items; queued ones are still handed out.
  /// - Parameter first: Called before the end is visible to rendering; not called if the inlet had already ended.
  func finish(_ first: () -> Void = {}) {
    condition.withLock {
      guard !isEnded, !isAbandoned else { return }
      first()
      isEnded = true
      condition.broadcast()
    }
  }

  // MARK: Any thread

  /// Holds back all frames from the next one on, or releases them.
  func setHeld(_ isHeld: Bool) {
    condition.withLock {
      guard !isCancelled else { return }
      self.isHeld = isHeld
      if !isHeld { steps = 0 }
      condition.broadcast()
    }
  }

  /// Lets one more frame through while frames are held.
  func step() {
    condition.withLock {
      guard isHeld else { return }
      steps += 1
      condition.broadcast()
    }
  }

  /// Cancels pending steps.
  func forgetSteps() { condition.withLock { steps = 0 } }

  /// Requests that the last frame is rendered again, unless the next one is already due.
  func redraw() {
    condition.withLock {
      wantsRedraw = true
      condition.broadcast()
    }
  }

  /// Releases held items for good, and ignores a live source from now on.
  func cancel() {
    condition.withLock {
      isCancelled = true
      // There is no `resume()` to report.
      (isHeld, isHoldReported) = (false, false)
      if isLive { isEnded = true }
      condition.broadcast()
    }
  }

  /// Drops all items and unblocks both sides.
  func abandon() {
    condition.withLock {
      isAbandoned = true
      queue.removeAll()
      condition.broadcast()
    }
  }
}
