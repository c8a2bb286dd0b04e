internal import Foundation

/// Numbers as reports write them.
package enum Figures {
  /// Placeholder for a missing number.
  package static let none = "–"

  /// With a number of decimals; very large ones with an exponent.
  package static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite else { return none }
    guard abs(value) < 1e7 else { return String(format: "%.2e", value) }
    let text = String(format: "%.\(decimals)f", value)
    // "-0.0" says nothing that "0.0" does not.
    return text.contains { ("1"..."9").contains($0) } ? text : text.replacingOccurrences(of: "-", with: "")
  }

  /// With a sign.
  package static func signed(_ value: Double, _ decimals: Int) -> String {
    let text = fixed(value, decimals)
    return value > 0 && text.contains { ("1"..."9").contains($0) } ? "+" + text : text
  }

  /// Luminance in cd/m² to four digits, down to 0.0001.
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

  /// A share as a percentage.
  package static func percent(_ share: Double, _ decimals: Int = 1) -> String {
    share.isFinite ? fixed(share * 100, decimals) + " %" : none
  }

  /// As few digits as it takes.
  package static func shortest(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? fixed(value, 0) : "\(value)"
  }

  /// "1 fault", "3 faults", "no faults".
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number == 0 ? "no" : String(number)) \(noun)\(number == 1 ? "" : "s")"
  }

  /// Numbers of a list, those that follow one another as a range, at most a number of entries.
  package static func list(_ numbers: [Int], most: Int = 12) -> String {
    var ranges: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = ranges.last, last.upperBound < .max, number == last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    let shown = ranges.prefix(most).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
    return (shown + (ranges.count > most ? ["and more"] : [])).joined(separator: ", ")
  }
}
