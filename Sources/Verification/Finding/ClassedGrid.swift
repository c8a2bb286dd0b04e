internal import Frames

/// A grid whose blocks are divided into classes of similar colour.
///
/// Luma classes are quantiles, so that near-black steps are distinguished as well as bright ones.
struct ClassedGrid: Sendable {
  let grid: SignalGrid
  /// Class of each block, 0..<`classCount`.
  let classes: [Int32]
  let classCount: Int

  private static let lumaClasses = 48
  private static let chromaClasses = 17
  private static let levels = 4096

  init(_ grid: SignalGrid) {
    self.grid = grid
    // Luma -0.25...1.25 by rank.
    let levels = Self.levels
    func level(_ luma: Float) -> Int {
      let value = (luma + 0.25) / 1.5 * Float(levels)
      return value > 0 ? Int(min(value, Float(levels - 1))) : 0
    }
    var counts = [Int](repeating: 0, count: levels)
    for value in grid.values { counts[level(value.x)] += 1 }
    var rank = [Int](repeating: 0, count: levels)
    var below = 0
    for index in 0..<levels {
      rank[index] = min(below * Self.lumaClasses / max(grid.values.count, 1), Self.lumaClasses - 1)
      below += counts[index]
    }
    func chroma(_ value: Float) -> Int {
      let half = Float(Self.chromaClasses / 2)
      return Int(min(max((value * 2 * half).rounded(), -half), half) + half)
    }
    var dense = [Int32](repeating: -1, count: Self.lumaClasses * Self.chromaClasses * Self.chromaClasses)
    var next: Int32 = 0
    classes = grid.values.map { value in
      let key = (rank[level(value.x)] * Self.chromaClasses + chroma(value.y)) * Self.chromaClasses + chroma(value.z)
      if dense[key] < 0 {
        dense[key] = next
        next += 1
      }
      return dense[key]
    }
    classCount = Int(next)
  }

  /// A grid and its successively halved versions, largest first.
  static func pyramid(of grid: SignalGrid, shortest: Int = 24) -> [ClassedGrid] {
    var levels = [ClassedGrid(grid)]
    while let last = levels.last?.grid, min(last.width, last.height) >= 2 * shortest {
      levels.append(ClassedGrid(last.halved()))
    }
    return levels
  }
}
