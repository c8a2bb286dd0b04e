/// How often each level was met, and the highest level of each column.
package struct LevelCounts: Sendable, Hashable {
  /// Levels from zero to the largest half float.
  package static let binCount = 0x7c00

  /// Pixels of each level.
  package var bins = [Int](repeating: 0, count: binCount)
  package var columns: [UInt16]
  /// Pixels outside of the gamut.
  package var outside = 0

  package init(width: Int) { columns = [UInt16](repeating: 0, count: width) }

  mutating func add(_ other: LevelCounts) {
    for level in bins.indices { bins[level] += other.bins[level] }
    for x in columns.indices { columns[x] = max(columns[x], other.columns[x]) }
    outside += other.outside
  }
  mutating func clear() {
    for level in bins.indices { bins[level] = 0 }
    for x in columns.indices { columns[x] = 0 }
    outside = 0
  }
}
