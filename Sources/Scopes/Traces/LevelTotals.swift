/// Number of pixels per level over all columns of a picture.
struct LevelTotals {
  let counts: [UInt32]

  /// - Parameter levels: As in `ScopeCounts`.
  init(_ levels: [UInt16]) {
    var counts: [UInt32] = Array(repeating: 0, count: ScopeCounts.levels)
    let columns = levels.count / ScopeCounts.levels
    unsafe counts.withUnsafeMutableBufferPointer { counts in
      unsafe levels.withUnsafeBufferPointer { levels in
        guard let counts = counts.baseAddress, let levels = levels.baseAddress else { return }
        // Four at a time: sums are loaded and stored a quarter as often.
        for column in stride(from: 0, to: columns & ~3, by: 4) {
          unsafe Self.addFour(levels + column * ScopeCounts.levels, to: counts)
        }
        for column in (columns & ~3)..<columns {
          let first = unsafe levels + column * ScopeCounts.levels
          for level in 0..<ScopeCounts.levels { unsafe counts[level] &+= UInt32(first[level]) }
        }
      }
    }
    self.counts = counts
  }

  private static func addFour(_ levels: UnsafePointer<UInt16>, to counts: UnsafeMutablePointer<UInt32>) {
    let size = ScopeCounts.levels
    for level in 0..<size {
      let left = unsafe UInt32(levels[level]) &+ UInt32(levels[level &+ size])
      let right = unsafe UInt32(levels[level &+ 2 &* size]) &+ UInt32(levels[level &+ 3 &* size])
      unsafe counts[level] &+= left &+ right
    }
  }

  /// The maximum of all levels except black and the largest code; of all levels if only these are non-zero.
  var peak: Double {
    let inner = counts.dropFirst().dropLast().max() ?? 0
    return Double(inner > 0 ? inner : counts.max() ?? 0)
  }
}
