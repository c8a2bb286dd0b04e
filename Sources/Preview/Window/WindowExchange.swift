internal import Dispatch
internal import Frames
internal import Synchronization

/// What the window's thread and all others tell each other.
final class WindowExchange: Sendable {
  /// A picture on its way into the window.
  final class Delivery: Sendable {
    let frame: CodedFrame
    /// Presented, or no longer waited for.
    let isOver = DispatchSemaphore(value: 0)

    init(_ frame: CodedFrame) { self.frame = frame }
  }

  /// From other threads to the window's; taken as a whole.
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
    /// No more pictures are taken.
    var isOver = false
  }

  private struct State {
    var inbox = Inbox()
    var outcome = Outcome()
    /// The picture that somebody waits for, taken or not.
    var awaited: Delivery?
    var isInterrupted = false
  }

  /// Messages that wait while the window's thread is busy; older ones are forgotten.
  private static let messageLimit = 16

  private let state = Mutex(State())
  let wakeUp: WakeUp

  init() throws(ScreenError) { wakeUp = try WakeUp() }

  var outcome: Outcome { state.withLock { $0.outcome } }

  // MARK: Other threads

  /// Hands a picture over and waits until it is presented, or until nothing is waited for any more.
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

  /// Adds to what the window's thread finds next.
  func post(_ change: (inout Inbox) -> Void) {
    state.withLock { state in
      change(&state.inbox)
      state.inbox.messages.removeFirst(max(state.inbox.messages.count - Self.messageLimit, 0))
    }
    wakeUp.signal()
  }

  /// Pictures are waited for no longer, that on its way included.
  func interrupt() {
    state.withLock { state in
      state.isInterrupted = true
      return state.awaited.take()
    }?.isOver.signal()
  }

  // MARK: The window's thread

  /// What has come in; only closing stays.
  func take() -> Inbox {
    state.withLock { state in
      let inbox = state.inbox
      state.inbox = Inbox(isClosing: inbox.isClosing)
      return inbox
    }
  }

  func update(_ change: (inout Outcome) -> Void) { state.withLock { change(&$0.outcome) } }

  /// The picture is presented.
  func finish(_ delivery: Delivery) {
    state.withLock { state in if state.awaited === delivery { state.awaited = nil } }
    delivery.isOver.signal()
  }

  /// The window is no more.
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
