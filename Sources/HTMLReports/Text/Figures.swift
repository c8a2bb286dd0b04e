internal import Foundation

/// Formats numbers for reports.
package enum Figures {
  /// Placeholder for a missing number.
  package static let none = "–"

  /// Formats with a fixed number of decimals; very large numbers with an exponent.
  package static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite else { return none }
    guard abs(value) < 1e7 else { return String(format: "%.2e", value) }
    let text = String(format: "%.\(decimals)f", value)
    // "-0.0" has no more meaning than "0.0".
    return text.contains { ("1"..."9").contains($0) } ? text : text.replacingOccurrences(of: "-", with: "")
  }

  /// Formats with a sign.
  package static func signed(_ value: Double, _ decimals: Int) -> String {
    let text = fixed(value, decimals)
    return value > 0 && text.contains { ("1"..."9").contains($0) } ? "+" + text : text
  }

  /// Formats a luminance in cd/m² with four digits, down to 0.0001.
  package static func nits(_ value: Double) -> String {
    switch abs(value) {
    case 0: "0"
    case ..<1: fixed(value, 4)
    case ..<10: fixed(value, 3)
    case ..<100: fixed(value, 2)
    case ..<1000: fixed(value, 1)
    default: fixed(value, 0)
    }
  }

  /// Formats a fraction as a percentage.
  package static func percent(_ share: Double, _ decimals: Int = 1) -> String {
    share.isFinite ? fixed(share * 100, decimals) + " %" : none
  }

  /// Formats with as few digits as needed.
  package static func shortest(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? fixed(value, 0) : "\(value)"
  }

  /// Formats a count: "1 fault", "3 faults", "no faults".
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number == 0 ? "no" : String(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Formats a list of numbers, with consecutive ones as ranges, up to a maximum number of entries.
  package static func list(_ numbers: [Int], maximum: Int = 12) -> String {
    let ranges = numbers.ranges
    let shown = ranges.prefix(maximum).map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)"
    }
    return (shown + (ranges.count > maximum ? ["and more"] : [])).joined(separator: ", ")
  }
}

extension [Int] {
  /// Ascending numbers, with consecutive ones as a range.
  package var ranges: [ClosedRange<Int>] {
    reduce(into: []) { ranges, number in
      if let last = ranges.last, last.upperBound < .max, number == last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
  }
}
