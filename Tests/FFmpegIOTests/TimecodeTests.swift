import FFmpegIO
import Frames
import Testing

@Suite struct TimecodeTests {
  /// Frames 0 and 1 of each minute but every tenth have no number of their own where numbers are dropped.
  @Test(arguments: [
    ("01:00:00:00", 25, Rational(25, 1), "01:00:01:00"), ("23:59:59:23", 1, Rational(24, 1), "00:00:00:00"),
    ("00:00:59;20", 10, Rational(30_000, 1001), "00:01:00;02"),
    ("00:09:59;29", 1, Rational(30_000, 1001), "00:10:00;00"),
    ("10:00:00:00", 0, Rational(24_000, 1001), "10:00:00:00"),
  ])
  func moves(_ text: String, _ frames: Int, _ rate: Rational, _ expected: String) {
    #expect(Timecode.moved(text, by: frames, rate: rate) == expected)
  }

  @Test(arguments: ["", "one", "01:00"]) func whatIsNone(_ text: String) {
    #expect(Timecode.moved(text, by: 1, rate: Rational(25, 1)) == nil)
  }
}
