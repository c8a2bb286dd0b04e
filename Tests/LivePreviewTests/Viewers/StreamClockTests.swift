import Frames
import LivePreview
import Testing

import Sessions

/// Times of streams.
@Suite struct StreamClockTests {
  private static let begin = ContinuousClock.now

  private static func time(_ seconds: Double) -> FrameTime {
    FrameTime(presentation: Int64((seconds * 1000).rounded()), duration: 40, timeBase: Rational(1, 1000))
  }

  private static func at(_ seconds: Double) -> ContinuousClock.Instant { begin + .seconds(seconds) }

  /// Frames of a file are as far apart as in the file, however unpunctual they are.
  @Test func aFileKeepsItsPace() {
    var clock = StreamClock(begin: Self.begin, date: 1000)
    let late = [0.0, 0.03, -0.02, 0.05, 0.01]
    let times = late.enumerated().map { index, late in
      let due = Double(index) / 25
      return clock.time(of: Self.time(7 + due), arrival: nil, now: Self.at(2 + due + late)).seconds
    }
    for (index, time) in times.enumerated() { #expect(abs(time - (2 + Double(index) / 25)) < 1e-4) }
    #expect(clock.last.map { clock.date(of: $0) } == 1000 + times[4])
  }

  /// A pause, a seek and a picture that is shown again go on with the server's clock.
  @Test func jumpsAreNone() {
    var clock = StreamClock(begin: Self.begin, date: 0)
    _ = clock.time(of: Self.time(0), arrival: nil, now: Self.at(1))
    let again = clock.time(of: nil, arrival: nil, now: Self.at(1.5)).seconds
    let sought = clock.time(of: Self.time(60), arrival: nil, now: Self.at(3)).seconds
    let next = clock.time(of: Self.time(60.04), arrival: nil, now: Self.at(3.06)).seconds
    #expect(abs(again - 1.5) < 1e-4 && abs(sought - 3) < 1e-4 && abs(next - 3.04) < 1e-4)
  }

  @Test func framesOfADeviceHaveTheTimeOfTheirCapture() {
    var clock = StreamClock(begin: Self.begin, date: 50)
    let time = clock.time(of: Self.time(900), arrival: Self.at(2), now: Self.at(2.08))
    #expect(abs(time.seconds - 2) < 1e-4 && abs(clock.date(of: time) - 52) < 1e-4)
  }

  @Test func timesAlwaysIncrease() {
    var clock = StreamClock(begin: Self.begin, date: 0)
    let instants = [1.0, 1.0, 0.5, -3, 1]
    let times = instants.map { clock.time(of: nil, arrival: Self.at($0), now: Self.at(1)).presentation }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }
}
