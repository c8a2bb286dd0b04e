/// A figure over all rounds.
struct Summary: Encodable {
  let least: Double
  let median: Double
  let greatest: Double
  let rounds: [Double]

  /// - Parameter least: The minimum, if known more precisely than from `rounds`.
  init(_ rounds: [Double], least: Double? = nil) {
    let sorted = rounds.sorted()
    precondition(!sorted.isEmpty)
    self.rounds = rounds
    self.least = least ?? sorted[0]
    greatest = sorted[sorted.count - 1]
    median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  static func * (summary: Summary, factor: Double) -> Summary {
    Summary(summary.rounds.map { $0 * factor }, least: summary.least * factor)
  }

  /// Difference by round; the minimum is the difference of the minima, which excludes rounds in which `other` was slow.
  static func - (summary: Summary, other: Summary) -> Summary {
    Summary(zip(summary.rounds, other.rounds).map { $0 - $1 }, least: summary.least - other.least)
  }

  /// `self / other`, by round.
  func ratio(to other: Summary) -> Summary { Summary(zip(rounds, other.rounds).map { $0 / $1 }) }
}
