/// A 64 by 64 dither mask without low frequencies, made the same way in every run.
///
/// Source: R. Ulichney, "The void-and-cluster method for dither array generation", SPIE 1913 (1993): each rank goes to
/// the largest void among the positions that are already taken, on a torus.
package struct BlueNoise: Sendable {
  package static let shared = BlueNoise()
  private static let size = ThresholdRows.size
  /// Standard deviation of the filter in pixels, the value of the source.
  private static let sigma = 1.5
  /// Beyond this distance the filter is below 1e-6.
  private static let reach = 8

  package let rows: ThresholdRows

  private init() {
    var field = Field(size: Self.size, sigma: Self.sigma, reach: Self.reach)
    let prototype = field.prototype(count: Self.size * Self.size / 10)
    var ranks = [Int](repeating: 0, count: Self.size * Self.size)
    // Downwards from the prototype by taking away clusters, upwards by filling voids.
    for rank in stride(from: prototype.count - 1, through: 0, by: -1) { ranks[field.removeTightestCluster()] = rank }
    for position in prototype { field.add(position) }
    for rank in prototype.count..<ranks.count { ranks[field.fillLargestVoid()] = rank }
    rows = ThresholdRows(ranks.map { (Float($0) + 0.5) / Float(ranks.count) })
  }

  /// Which positions are taken, and how near each position is to those.
  private struct Field {
    private let size: Int
    private let reach: Int
    private let kernel: [Float]
    private var energy: [Float]
    private var isTaken: [Bool]

    init(size: Int, sigma: Double, reach: Int) {
      self.size = size
      self.reach = reach
      kernel = (-reach...reach).flatMap { y in
        (-reach...reach).map { x in Float(exponential(-Double(x * x + y * y) / (2 * sigma * sigma))) }
      }
      energy = [Float](repeating: 0, count: size * size)
      isTaken = [Bool](repeating: false, count: size * size)
    }

    /// A start pattern: positions spread by a fixed sequence, then moved from clusters to voids until none moves.
    mutating func prototype(count: Int) -> [Int] {
      var state: UInt32 = 1
      var left = count
      while left > 0 {
        // Numerical Recipes' linear congruential generator; its upper bits.
        state = state &* 1_664_525 &+ 1_013_904_223
        let position = Int(state >> 16) % isTaken.count
        if !isTaken[position] {
          add(position)
          left -= 1
        }
      }
      while true {
        let cluster = removeTightestCluster()
        if fillLargestVoid() == cluster { break }
      }
      return isTaken.indices.filter { isTaken[$0] }
    }

    mutating func add(_ position: Int) { change(position, taken: true) }

    mutating func removeTightestCluster() -> Int {
      var best = 0
      var highest = -Float.infinity
      for position in energy.indices where isTaken[position] && energy[position] > highest {
        (best, highest) = (position, energy[position])
      }
      change(best, taken: false)
      return best
    }

    mutating func fillLargestVoid() -> Int {
      var best = 0
      var lowest = Float.infinity
      for position in energy.indices where !isTaken[position] && energy[position] < lowest {
        (best, lowest) = (position, energy[position])
      }
      change(best, taken: true)
      return best
    }

    private mutating func change(_ position: Int, taken: Bool) {
      isTaken[position] = taken
      let (row, column) = (position / size, position % size)
      var index = 0
      for y in -reach...reach {
        let start = (row + y + size) % size * size
        for x in -reach...reach {
          energy[start + (column + x + size) % size] += taken ? kernel[index] : -kernel[index]
          index += 1
        }
      }
    }
  }
}
