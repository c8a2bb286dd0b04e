internal import Sessions
internal import Synchronization

/// A reference for callers that may use an object before it is complete: early calls wait until it is.
final class LateReference<Object: AnyObject & Sendable>: Sendable {
  private struct Waiting {
    weak var object: Object?
    var calls: [@Sendable (Object) -> Void] = []
  }

  private let state = Mutex(Waiting())
  /// Maximum number of waiting calls, such as keys pressed while a window opens.
  private static var maximum: Int { 100 }

  func with(_ body: @escaping @Sendable (Object) -> Void) {
    let object = state.withLock { state in
      if state.object == nil, state.calls.count < Self.maximum { state.calls.append(body) }
      return state.object
    }
    object.map(body)
  }

  func set(_ object: Object) {
    let calls = state.withLock { state in
      defer { state.calls = [] }
      state.object = object
      return state.calls
    }
    for call in calls { call(object) }
  }
}
