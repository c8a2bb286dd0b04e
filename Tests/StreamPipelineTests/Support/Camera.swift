import Frames
internal import Media
import StreamPipeline
import Testing

/// A live source whose frames the test delivers.
final class Camera: LiveSource {
  private let started = Watched<(any LiveReceiver)?>(nil)
  /// Calls of `stop()`.
  let stops = Watched(0)
  private let failsToStart: Bool

  init(failsToStart: Bool = false) { self.failsToStart = failsToStart }

  func start(delivering intake: any LiveReceiver) throws {
    if failsToStart { throw Broken(place: "start") }
    started.update { $0 = intake }
  }

  func stop() { stops.update { $0 += 1 } }

  /// Waits for the start.
  var intake: any LiveReceiver {
    get throws {
      started.wait { $0 != nil }
      guard let intake = started.value else { throw Broken(place: "camera") }
      return intake
    }
  }
}

extension LiveReceiver {
  func deliver(_ numbers: Range<Int>) {
    for number in numbers { deliver(numberedFrame(number), arrival: .now) }
  }
}
