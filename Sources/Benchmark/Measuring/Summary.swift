/// One figure over the rounds that it was measured in.
struct Summary: Encodable {
  let least: Double
  let median: Double
  let greatest: Double
  let rounds: [Double]

  /// - Parameter least: Where it is known better than as the least of `rounds`.
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

  /// Round by round; the least is that of `self` without that of `other`, not a round in which `other` was slow.
  static func - (summary: Summary, other: Summary) -> Summary {
    Summary(zip(summary.rounds, other.rounds).map { $0 - $1 }, least: summary.least - other.least)
  }

  /// `self / other`, round by round.
  func ratio(to other: Summary) -> Summary { Summary(zip(rounds, other.rounds).map { $0 / $1 }) }
}
