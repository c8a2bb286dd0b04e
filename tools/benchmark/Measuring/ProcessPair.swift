/// One task done by another program and by headroom.
struct ProcessPair {
  let task: String
  /// The other program and its task.
  let referenceName: String
  let reference: MeasuredProcess
  let ours: MeasuredProcess
  /// Runs before each of them, unmeasured.
  var preparation: MeasuredProcess?

  private struct Key: Hashable {
    let pair: Int
    let isOurs: Bool
    let figure: Figure
  }

  private enum Figure: CaseIterable {
    case wall, cpu, memory
  }

  /// Runs all pairs in turn, in rounds.
  static func compare(_ pairs: [ProcessPair], rounds count: Int, in scratch: Scratch) throws -> [ProcessComparison] {
    let contestants = pairs.enumerated().flatMap { index, pair in
      [(pair.reference, false), (pair.ours, true)].map { process, isOurs in
        Rounds<Key>.Contestant {
          if let preparation = pair.preparation { _ = try preparation.run(in: scratch) }
          let usage = try process.run(in: scratch)
          return [
            Key(pair: index, isOurs: isOurs, figure: .wall): usage.wallSeconds,
            Key(pair: index, isOurs: isOurs, figure: .cpu): usage.cpuSeconds,
            Key(pair: index, isOurs: isOurs, figure: .memory): usage.peakMemoryMiB,
          ]
        }
      }
    }
    let rounds = try Rounds(contestants, count: count)
    return pairs.enumerated().compactMap { index, pair in
      guard let reference = use(pair.reference, rounds, index, isOurs: false),
        let ours = use(pair.ours, rounds, index, isOurs: true)
      else { return nil }
      return ProcessComparison(
        task: pair.task, referenceName: pair.referenceName, reference: reference, ours: ours)
    }
  }

  private static func use(
    _ process: MeasuredProcess, _ rounds: Rounds<Key>, _ pair: Int, isOurs: Bool
  ) -> ProcessUse? {
    let figures = Figure.allCases.compactMap { rounds.summary(Key(pair: pair, isOurs: isOurs, figure: $0)) }
    guard figures.count == Figure.allCases.count else { return nil }
    let program = process.program.split(separator: "/").last.map(String.init) ?? process.program
    return ProcessUse(
      command: ([program] + process.arguments).joined(separator: " "), wallS: figures[0], cpuS: figures[1],
      peakMemoryMib: figures[2])
  }
}
