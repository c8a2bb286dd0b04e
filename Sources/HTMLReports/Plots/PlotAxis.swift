internal import Foundation

/// A plot axis: maps values to coordinates.
package struct PlotAxis: Sendable {
  /// The spacing of values.
  package enum Scale: Sendable {
    case linear, logarithmic
  }

  /// The spacing of values.
  package let scale: Scale
  /// First and last value; above 0 for a logarithmic scale.
  package let domain: ClosedRange<Double>
  /// The coordinate of the first value.
  package let from: Double
  /// The coordinate of the last value.
  package let to: Double

  /// The minimum step between grid lines of a linear axis: 1 for counts.
  package let minimumStep: Double

  /// Creates an axis, linear by default.
  package init(
    _ scale: Scale = .linear, _ domain: ClosedRange<Double>, from: Double, to: Double, minimumStep: Double = 0
  ) {
    precondition(domain.lowerBound < domain.upperBound && (scale == .linear || domain.lowerBound > 0))
    self.scale = scale
    self.domain = domain
    self.from = from
    self.to = to
    self.minimumStep = minimumStep
  }

  /// Returns the coordinate of a value; values outside the domain, and NaN, are clamped to the nearer end.
  package func place(_ value: Double) -> Double {
    let value = value.isNaN ? domain.lowerBound : min(max(value, domain.lowerBound), domain.upperBound)
    let part =
      switch scale {
      case .linear: (value - domain.lowerBound) / (domain.upperBound - domain.lowerBound)
      case .logarithmic: log(value / domain.lowerBound) / log(domain.upperBound / domain.lowerBound)
      }
    return from + part * (to - from)
  }

  /// Values with a grid line: round numbers, at most about eight; powers of ten on a logarithmic scale.
  package var ticks: [Double] {
    switch scale {
    case .linear:
      let step = max(Self.round((domain.upperBound - domain.lowerBound) / 8), minimumStep)
      let first = (domain.lowerBound / step - 1e-9).rounded(.up)
      let count = ((domain.upperBound / step + 1e-9).rounded(.down) - first).rounded()
      return (0...Int(min(max(count, 0), 20))).map { (first + Double($0)) * step }
    case .logarithmic:
      let powers = stride(from: -12.0, through: 12, by: 1).map { pow(10, $0) }
      let decades = powers.filter { $0 >= domain.lowerBound * 0.999 && $0 <= domain.upperBound * 1.001 }
      return decades
    }
  }

  /// Rounds up to 1, 2 or 5 times a power of ten.
  package static func round(_ value: Double) -> Double {
    guard value.isFinite, value > 0 else { return 1 }
    let unit = pow(10, log10(value).rounded(.down))
    return ([1, 2, 5].first { $0 * unit >= value * 0.999_999 } ?? 10) * unit
  }

  /// Formats a value: "0.001", "10,000".
  package static func label(_ value: Double) -> String {
    guard abs(value) > 1e-12 else { return "0" }
    let text = String(format: "%.10g", value)
    guard abs(value) >= 10_000, abs(value) < 1e10, !text.contains(where: { $0 == "." || $0 == "e" }) else {
      return text.replacingOccurrences(of: "-", with: "−")
    }
    let digits = Array(text)
    return String(
      digits.enumerated().flatMap { index, digit in
        let left = digits.count - index
        return left % 3 == 0 && index > 0 && digits[index - 1] != "-" ? [",", digit] : [digit]
      })
  }
}
