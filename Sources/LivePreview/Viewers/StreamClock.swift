internal import Foundation
package import Frames
internal import Sessions

/// The times of streams: seconds since the server began, whatever the input's times do, so that a player's clock goes on when a file is
/// paused, or after a seek.
///
/// A frame of a device has the time of its capture. Frames of a file are as far apart as in the file while it plays at its pace.
package struct StreamClock {
  /// Units of the times.
  package static let timeBase = Rational(1, 90_000)

  private let begin: ContinuousClock.Instant
  /// Unix time of `begin`.
  private let date: Double
  /// Added to the times of a file; nil: it has not begun to play, or was held.
  private var offset: Double?
  /// The last time that was given; nil: none was.
  package private(set) var last: FrameTime?

  /// Seconds that a file may be away from its pace before its times are taken to have moved.
  private static let tolerance = 0.1

  /// - Parameters:
  ///   - begin: Time zero of the streams.
  ///   - date: The same in Unix time.
  package init(begin: ContinuousClock.Instant, date: Double) { (self.begin, self.date) = (begin, date) }

  /// The time of the next frame; later than that of the last.
  /// - Parameters:
  ///   - time: That of the input; nil: a frame that is shown again.
  ///   - arrival: When a device has captured it; nil: a file.
  ///   - now: The present.
  package mutating func time(
    of time: FrameTime?, arrival: ContinuousClock.Instant?, now: ContinuousClock.Instant
  ) -> FrameTime {
    let seconds = (now - begin) / .seconds(1)
    var due = arrival.map { ($0 - begin) / .seconds(1) } ?? seconds
    if arrival == nil {
      let own = time?.seconds
      if let own, let offset, abs(own + offset - seconds) < Self.tolerance {
        due = own + offset
      } else {
        offset = own.map { seconds - $0 }
      }
    }
    let ticks = Int64((max(due, 0) / Self.timeBase.value).rounded())
    let later = last.map { max(ticks, $0.presentation + 1) } ?? ticks
    let result = FrameTime(presentation: later, duration: 0, timeBase: Self.timeBase)
    last = result
    return result
  }

  /// Unix time of a time of a stream: for a device that of the capture.
  package func date(of time: FrameTime) -> Double { date + time.seconds }
}
