internal import Dispatch
internal import Frames
internal import Synchronization

/// The exchange between the window's thread and all others.
final class WindowExchange: Sendable {
  /// A picture on its way into the window.
  final class Delivery: Sendable {
    let frame: CodedFrame
    /// Signalled when presented, or no longer awaited.
    let isOver = DispatchSemaphore(value: 0)

    init(_ frame: CodedFrame) { self.frame = frame }
  }

  /// From other threads to the window's thread, which takes it as a whole.
  struct Inbox: Sendable {
    var delivery: Delivery?
    var status: PreviewStatus?
    var messages: [String] = []
    var tasks: [@Sendable (WindowLoop) -> Void] = []
    var isClosing = false
  }

  /// From the window's thread to others.
  struct Outcome: Sendable {
    var area = ScreenArea(size: Size(width: 1, height: 1))
    var layout = PackedFormat.xrgb8.layout
    var pointer: SIMD2<Double>?
    var failure: ScreenError?
    /// No more pictures are accepted.
    var isOver = false
  }

  private struct State {
    var inbox = Inbox()
    var outcome = Outcome()
    /// The picture being waited for, taken or not.
    var awaited: Delivery?
    var isInterrupted = false
  }

  /// Maximum number of messages queued for the window's thread; older ones are dropped.
  private static let messageLimit = 16

  private let state = Mutex(State())
  let wakeUp: WakeUp

  init() throws(ScreenError) { wakeUp = try WakeUp() }

  var outcome: Outcome { state.withLock { $0.outcome } }

  // MARK: Other threads

  /// Hands a picture over and waits until it is presented, or waiting is interrupted.
  func deliver(_ frame: CodedFrame) throws(ScreenError) {
    let delivery = Delivery(frame)
    let isTaken = state.withLock { state in
      guard !state.isInterrupted, !state.inbox.isClosing, !state.outcome.isOver else {
        return false
      }
      state.inbox.delivery = delivery
      state.awaited = delivery
      return true
    }
    if isTaken {
      wakeUp.signal()
      delivery.isOver.wait()
    }
    if let failure = outcome.failure { throw failure }
  }

  /// Adds to the inbox of the window's thread.
  func post(_ change: (inout Inbox) -> Void) {
    state.withLock { state in
      change(&state.inbox)
      state.inbox.messages.removeFirst(max(state.inbox.messages.count - Self.messageLimit, 0))
    }
    wakeUp.signal()
  }

  /// Stops all waiting for pictures, including the current one.
  func interrupt() {
    state.withLock { state in
      state.isInterrupted = true
      return state.awaited.take()
    }?.isOver.signal()
  }

  // MARK: The window's thread

  /// Takes the inbox; only the closing flag remains set.
  func take() -> Inbox {
    state.withLock { state in
      let inbox = state.inbox
      state.inbox = Inbox(isClosing: inbox.isClosing)
      return inbox
    }
  }

  func update(_ change: (inout Outcome) -> Void) { state.withLock { change(&$0.outcome) } }

  /// Marks a picture as presented.
  func finish(_ delivery: Delivery) {
    state.withLock { state in if state.awaited === delivery { state.awaited = nil } }
    delivery.isOver.signal()
  }

  /// Marks the window as closed.
  func end(with failure: ScreenError?) {
    state.withLock { state in
      state.outcome.isOver = true
      state.outcome.failure = failure
      state.outcome.pointer = nil
      state.inbox.tasks = []
      return state.awaited.take()
    }?.isOver.signal()
  }
}
