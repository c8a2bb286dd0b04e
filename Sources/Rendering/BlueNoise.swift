/// A deterministic 64×64 blue-noise dither mask.
///
/// Source: R. Ulichney, "The void-and-cluster method for dither array generation", SPIE 1913 (1993): each rank goes to
/// the largest void among the positions taken so far, on a torus.
package struct BlueNoise: Sendable {
  package static let shared = BlueNoise()
  private static let size = ThresholdRows.size
  /// Standard deviation of the filter in pixels, as in the source.
  private static let sigma = 1.5
  /// Beyond this distance the filter is below 1e-6.
  private static let reach = 8

  package let rows: ThresholdRows

  private init() {
    var field = Field(size: Self.size, sigma: Self.sigma, reach: Self.reach)
    let prototype = field.prototype(count: Self.size * Self.size / 10)
    var ranks = [Int](repeating: 0, count: Self.size * Self.size)
    // Downwards from the prototype by removing clusters, upwards by filling voids.
    for rank in stride(from: prototype.count - 1, through: 0, by: -1) { ranks[field.removeTightestCluster()] = rank }
    for position in prototype { field.add(position) }
    for rank in prototype.count..<ranks.count { ranks[field.fillLargestVoid()] = rank }
    rows = ThresholdRows(ranks.map { (Float($0) + 0.5) / Float(ranks.count) })
  }

  /// The occupied positions, and the filtered density around each position.
  private struct Field {
    private let size: Int
    private let reach: Int
    private let kernel: [Float]
    private var energy: [Float]
    private var isTaken: [Bool]
    /// The tightest cluster and the largest void of each row; nil if the row has changed since.
    private var clusters: [Extreme?]
    private var voids: [Extreme?]

    /// The first position of maximum or minimum energy.
    private struct Extreme {
      var position = 0
      var energy: Float
    }

    init(size: Int, sigma: Double, reach: Int) {
      self.size = size
      self.reach = reach
      kernel = (-reach...reach).flatMap { y in
        (-reach...reach).map { x in Float(exponential(-Double(x * x + y * y) / (2 * sigma * sigma))) }
      }
      energy = [Float](repeating: 0, count: size * size)
      isTaken = [Bool](repeating: false, count: size * size)
      clusters = [Extreme?](repeating: nil, count: size)
      voids = clusters
    }

    /// The initial pattern: positions from a fixed sequence, then moved from clusters to voids until it is stable.
    mutating func prototype(count: Int) -> [Int] {
      var state: UInt32 = 1
      var left = count
      while left > 0 {
        // The linear congruential generator of Numerical Recipes; its upper bits.
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
      var best = Extreme(energy: -.infinity)
      for row in 0..<size {
        let extreme = clusters[row] ?? tightestCluster(row)
        clusters[row] = extreme
        if extreme.energy > best.energy { best = extreme }
      }
      change(best.position, taken: false)
      return best.position
    }

    mutating func fillLargestVoid() -> Int {
      var best = Extreme(energy: .infinity)
      for row in 0..<size {
        let extreme = voids[row] ?? largestVoid(row)
        voids[row] = extreme
        if extreme.energy < best.energy { best = extreme }
      }
      change(best.position, taken: true)
      return best.position
    }

    private func tightestCluster(_ row: Int) -> Extreme {
      var best = Extreme(energy: -.infinity)
      for position in row * size..<(row + 1) * size where isTaken[position] && energy[position] > best.energy {
        best = Extreme(position: position, energy: energy[position])
      }
      return best
    }

    private func largestVoid(_ row: Int) -> Extreme {
      var best = Extreme(energy: .infinity)
      for position in row * size..<(row + 1) * size where !isTaken[position] && energy[position] < best.energy {
        best = Extreme(position: position, energy: energy[position])
      }
      return best
    }

    private mutating func change(_ position: Int, taken: Bool) {
      isTaken[position] = taken
      let (row, column) = (position / size, position % size)
      let sign: Float = taken ? 1 : -1
      // The size is a power of two.
      let mask = size - 1
      var index = 0
      for y in -reach...reach {
        let changed = (row + y) & mask
        (clusters[changed], voids[changed]) = (nil, nil)
        let start = changed * size
        for x in -reach...reach {
          energy[start + ((column + x) & mask)] += sign * kernel[index]
          index += 1
        }
      }
    }
  }
}
