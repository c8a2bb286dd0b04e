internal import Foundation
internal import Frames

/// Frames that wait to be rendered, between the thread that brings them and the one that renders.
///
/// The reading thread of a file waits in `push(_:)` while the inlet is full. A live source never waits in
/// `deliver(_:lost:)`: the oldest frame makes room.
final class Inlet: @unchecked Sendable {
  // @unchecked: every variable is read and written with `condition` locked.

  /// What `next()` returns to the rendering thread.
  enum Answer {
    /// The next item. `isStep`: the pipeline is paused, and `step()` lets it through.
    case item(Item, isStep: Bool)
    /// The pipeline is paused; reported once.
    case held
    /// The pause is over; reported once.
    case released
    /// The last frame is to be rendered again.
    case redraw
    /// A frame that waited too long; it is dropped.
    case expired(CodedFrame)
    /// Nothing more comes.
    case end
  }

  /// What became of a delivered frame.
  enum Delivery {
    case taken
    /// It was taken, and the oldest frame made room for it.
    case replaced(CodedFrame)
    /// It was ignored: the run is ending.
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
  /// The last value of `isHeld` that the rendering thread has seen.
  private var isHoldReported = false
  /// Frames that may still pass while the others are held.
  private var steps = 0
  private var wantsRedraw = false

  /// - Parameters:
  ///   - capacity: Items of a file that may wait, where 0 hands each one over; or frames of a live source, at least 1.
  ///   - isLive: Whether the source delivers, rather than being read.
  ///   - maximumAge: Frames that arrived longer ago are dropped; nil: none are.
  init(capacity: Int, isLive: Bool, maximumAge: Duration? = nil) {
    (self.capacity, self.isLive, self.maximumAge) = (capacity, isLive, maximumAge)
  }

  /// What the source is doing. From any thread.
  var sourceState: StreamPipeline.SourceState { condition.withLock { state } }

  /// What was lost and dropped so far. From any thread.
  var tally: Tally { condition.withLock { counts } }

  private var state: StreamPipeline.SourceState {
    if !queue.isEmpty { return .ready }
    if isEnded || isAbandoned { return .ended }
    return isSourcePaused ? .paused : .nothingYet
  }

  // MARK: The rendering thread

  /// Waits until there is an answer.
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
    // A pause outlasts the end, so that the last frame can be looked at.
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
    // A live source keeps delivering. Its frames make room for newer ones, but its data would pile up.
    guard isLive else { return nil }
    let data = queue.takePassing()
    return data.isEmpty ? nil : .item(Item(passing: data), isStep: false)
  }

  // MARK: The source's thread

  /// Adds what was read, and returns once no more items than the capacity wait.
  /// - Returns: false if nobody will take it.
  func push(_ item: Item) -> Bool {
    condition.withLock {
      guard !isAbandoned else { return false }
      queue.append(item)
      condition.broadcast()
      while queue.count > capacity, !isAbandoned { condition.wait() }
      return !isAbandoned
    }
  }

  /// Adds what a live source delivers; never waits.
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

  /// Notes whether a live source delivers at the moment.
  /// - Returns: false if nothing changed.
  func setSourcePaused(_ isPaused: Bool) -> Bool {
    condition.withLock {
      guard !isEnded, !isAbandoned, isSourcePaused != isPaused else { return false }
      isSourcePaused = isPaused
      return true
    }
  }

  /// No more items come; those inside are still handed out.
  /// - Parameter first: Called before rendering can learn of the end; not called if the inlet had already ended.
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

  /// Steps that have not been taken are not.
  func forgetSteps() { condition.withLock { steps = 0 } }

  /// Has the last frame rendered again, unless the next one is about to be.
  func redraw() {
    condition.withLock {
      wantsRedraw = true
      condition.broadcast()
    }
  }

  /// Releases what is held for good, and ignores a live source from now on.
  func cancel() {
    condition.withLock {
      isCancelled = true
      // Nobody has resumed.
      (isHeld, isHoldReported) = (false, false)
      if isLive { isEnded = true }
      condition.broadcast()
    }
  }

  /// Drops all items; both sides stop waiting.
  func abandon() {
    condition.withLock {
      isAbandoned = true
      queue.removeAll()
      condition.broadcast()
    }
  }
}
