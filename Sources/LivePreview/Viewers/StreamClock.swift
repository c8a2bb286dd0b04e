internal import Foundation
package import Frames
internal import Sessions

/// Stream times: seconds since the server started, independent of input times, so that a player's clock continues when
/// a file is paused, or after a seek.
///
/// A device frame has its capture time. File frames keep their distances while the file plays at its pace.
package struct StreamClock {
  /// Time base of stream times.
  package static let timeBase = Rational(1, 90_000)

  private let begin: ContinuousClock.Instant
  /// Unix time of `begin`.
  private let date: Double
  /// Offset added to file times; nil: not playing yet, or held.
  private var offset: Double?
  /// The last time returned; nil: none.
  package private(set) var last: FrameTime?

  /// Maximum deviation in seconds of a file from its pace before its offset is reset.
  private static let tolerance = 0.1

  /// - Parameters:
  ///   - begin: Time zero of the streams.
  ///   - date: The same instant as Unix time.
  package init(begin: ContinuousClock.Instant, date: Double) { (self.begin, self.date) = (begin, date) }

  /// Returns the time of the next frame, later than the last one.
  /// - Parameters:
  ///   - time: Input time; nil: a repeated frame.
  ///   - arrival: Capture time of a device frame; nil: a file.
  ///   - now: Current time.
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

  /// Returns the Unix time of a stream time: for a device the capture time.
  package func date(of time: FrameTime) -> Double { date + time.seconds }
}
