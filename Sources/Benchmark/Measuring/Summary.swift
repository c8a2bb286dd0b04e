/// One figure over the rounds that it was measured in.
struct Summary: Encodable {
  let least: Double
  let median: Double
  let greatest: Double
  let rounds: [Double]

  init(_ rounds: [Double]) {
    let sorted = rounds.sorted()
    precondition(!sorted.isEmpty)
    self.rounds = rounds
    least = sorted[0]
    greatest = sorted[sorted.count - 1]
    median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }

  func map(_ transform: (Double) -> Double) -> Summary { Summary(rounds.map(transform)) }

  /// `self / other`, round by round.
  func ratio(to other: Summary) -> Summary { Summary(zip(rounds, other.rounds).map { $0 / $1 }) }
}
