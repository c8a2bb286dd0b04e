internal import ArgumentParser
internal import Frames
internal import Sessions

/// A time in ffmpeg syntax.
struct Timestamp: ExpressibleByArgument {
  let seconds: Double

  init?(argument: String) {
    guard let seconds = try? OptionValue<Double>.time.parse(argument) else { return nil }
    self.seconds = seconds
  }
}

/// A frame rate in ffmpeg syntax.
struct FrameRate: ExpressibleByArgument {
  let value: Rational

  init(_ value: Rational) { self.value = value }

  init?(argument: String) {
    guard let value = try? OptionValue<Rational>.frameRate.parse(argument) else { return nil }
    self.value = value
  }

  var defaultValueDescription: String { OptionValue<Rational>.frameRate.text(value) }
}
