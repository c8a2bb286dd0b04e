internal import ArgumentParser
internal import Foundation
internal import Frames

/// A frame rate with ffmpeg's syntax: "25", "30000/1001", or a decimal, where 23.976, 29.97 and 59.94 mean N/1001.
struct FrameRate: ExpressibleByArgument {
  /// Both parts positive; up to 1000 frames a second.
  var value: Rational

  init(_ value: Rational) { self.value = value }

  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    switch parts.count {
    case 2:
      guard let numerator = Int(parts[0]), let denominator = Int(parts[1]) else { return nil }
      value = Rational(numerator, denominator)
    case 1:
      guard let number = Double(argument), number.isFinite, number > 0, number <= 1000 else { return nil }
      value = Self.rational(number)
    default: return nil
    }
    guard (1...1_000_000).contains(value.numerator), (1...1_000_000).contains(value.denominator),
      (0.001...1000).contains(value.value)
    else { return nil }
  }

  var defaultValueDescription: String { value.denominator == 1 ? "\(value.numerator)" : "\(value)" }

  private static func rational(_ number: Double) -> Rational {
    for whole in [24, 30, 60, 120] where abs(number - Double(whole) * 1000 / 1001) < 0.005 && number != Double(whole) {
      return Rational(whole * 1000, 1001)
    }
    let thousandths = Int((number * 1000).rounded())
    return thousandths % 1000 == 0 ? Rational(thousandths / 1000, 1) : Rational(thousandths, 1000)
  }
}
