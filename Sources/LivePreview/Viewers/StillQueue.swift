internal import Frames
internal import PreviewProtocol
internal import Sessions
internal import Synchronization

/// Stills and pixel readings that clients have requested, until the next frame is rendered.
final class StillQueue: Sendable {
  /// A requested still.
  struct Still: Sendable {
    let request: Int
    let kind: StillKind
    let form: StreamForm
    /// Tags SDR as sRGB.
    let wantsSRGBTags: Bool
  }

  /// A requested pixel reading.
  struct Place: Sendable {
    let request: Int
    /// Fractions of the width and height.
    let position: SIMD2<Double>
  }

  private struct State {
    var stills: [Still] = []
    var places: [Place] = []
    /// Number of stills being encoded.
    var encoding = 0
  }

  private let state = Mutex(State())

  /// Maximum number of stills waiting or being encoded, each of which takes memory; and of pixel readings.
  private static let (stills, places) = (4, 32)

  /// - Returns: false if too many are waiting.
  func add(_ still: Still) -> Bool {
    state.withLock { state in
      guard state.stills.count + state.encoding < Self.stills else { return false }
      state.stills.append(still)
      return true
    }
  }

  /// - Returns: false if too many are waiting.
  func add(_ place: Place) -> Bool {
    state.withLock { state in
      guard state.places.count < Self.places else { return false }
      state.places.append(place)
      return true
    }
  }

  /// Takes the requests to answer with the current frame.
  func take() -> (stills: [Still], places: [Place]) {
    state.withLock { state in
      defer {
        state.encoding += state.stills.count
        (state.stills, state.places) = ([], [])
      }
      return (state.stills, state.places)
    }
  }

  /// Counts a still as answered.
  func finishStill() { state.withLock { $0.encoding -= 1 } }

  var isEmpty: Bool { state.withLock { $0.stills.isEmpty && $0.places.isEmpty } }
}
