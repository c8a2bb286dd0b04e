internal import Frames
internal import PreviewProtocol
internal import Sessions
internal import Synchronization

/// Stills and places of the picture that clients wait for, until the next frame is rendered.
final class StillQueue: Sendable {
  /// A still that is wanted.
  struct Still: Sendable {
    let request: Int
    let kind: StillKind
    let form: StreamForm
    /// SDR is tagged as sRGB.
    let wantsSRGBTags: Bool
  }

  /// A place whose light is wanted.
  struct Place: Sendable {
    let request: Int
    /// Fractions of the width and the height.
    let position: SIMD2<Double>
  }

  private struct State {
    var stills: [Still] = []
    var places: [Place] = []
    /// Stills that are encoded.
    var encoding = 0
  }

  private let state = Mutex(State())

  /// Stills that may wait or be encoded at a time, each of which takes memory; and places.
  private static let (stills, places) = (4, 32)

  /// - Returns: false if too many wait.
  func add(_ still: Still) -> Bool {
    state.withLock { state in
      guard state.stills.count + state.encoding < Self.stills else { return false }
      state.stills.append(still)
      return true
    }
  }

  /// - Returns: false if too many wait.
  func add(_ place: Place) -> Bool {
    state.withLock { state in
      guard state.places.count < Self.places else { return false }
      state.places.append(place)
      return true
    }
  }

  /// What is to be answered with the frame that is rendered now.
  func take() -> (stills: [Still], places: [Place]) {
    state.withLock { state in
      defer {
        state.encoding += state.stills.count
        (state.stills, state.places) = ([], [])
      }
      return (state.stills, state.places)
    }
  }

  /// A still that was taken has been answered.
  func finishStill() { state.withLock { $0.encoding -= 1 } }

  var isEmpty: Bool { state.withLock { $0.stills.isEmpty && $0.places.isEmpty } }
}
