/// Measurements of several contestants in interleaved rounds, so that variations of machine speed affect all equally.
struct Rounds<Key: Hashable> {
  /// Something measured once per round; a measurement may yield several figures.
  struct Contestant {
    let measure: () throws -> [Key: Double]

    init(_ measure: @escaping () throws -> [Key: Double]) { self.measure = measure }

    init(_ key: Key, _ measure: @escaping () throws -> Double) {
      self.measure = { [key: try measure()] }
    }
  }

  private(set) var values: [Key: [Double]] = [:]

  init(_ contestants: [Contestant], count: Int) throws {
    for _ in 0..<count {
      for contestant in contestants {
        try Signals.check()
        for (key, value) in try contestant.measure() { values[key, default: []].append(value) }
      }
    }
  }

  func summary(_ key: Key) -> Summary? { values[key].map { Summary($0) } }
}
