internal import Frames
internal import Rendering

extension BlockMap {
  /// Maps motion per block from evidence at the working size: 1, something moved; -1, nothing moved.
  /// - Parameters:
  ///   - evidence: One value per pixel at the working size.
  ///   - scale: Pixels of the picture per pixel of the evidence.
  init(mismatchFrom evidence: Plane, scale: Int, of picture: Size) {
    self.init(covering: picture)
    var agreement = [Float](repeating: 0, count: values.count)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let place = (x * Self.side / scale, y * Self.side / scale)
        let end = ((x + 1) * Self.side - 1, (y + 1) * Self.side - 1)
        for line in place.1...max(place.1, end.1 / scale) {
          let row = unsafe evidence.clampedRow(line)
          for column in place.0...max(place.0, end.0 / scale) {
            let value = unsafe row[min(column, row.count - 1)]
            self[x, y] = max(self[x, y], value)
            if value < 0 { agreement[y * size.width + x] = 1 }
          }
        }
      }
    }
    removeSpecks()
    fillHoles(agreement)
  }

  /// Removes isolated blocks, which are coincidences.
  private mutating func removeSpecks() {
    let original = self
    for y in 0..<size.height {
      for x in 0..<size.width where original[x, y] > 0 {
        var sum: Float = 0
        for line in max(0, y - 1)...min(size.height - 1, y + 1) {
          for column in max(0, x - 1)...min(size.width - 1, x + 1) { sum += original[column, line] }
        }
        self[x, y] = min(original[x, y], max(0, (sum - 1) / 2))
      }
    }
  }

  /// A uniform object that moved shows only at its outline, so enclosed blocks count as moved, unless they are known to
  /// agree.
  private mutating func fillHoles(_ agreement: [Float]) {
    var isSeen = values.map { $0 >= 0.5 }
    for start in values.indices where !isSeen[start] {
      let region = region(from: start, &isSeen)
      guard !region.touchesEdge, region.blocks.count < values.count / 8 else { continue }
      let agreeing = region.blocks.reduce(Float(0)) { $0 + agreement[$1] }
      guard agreeing < 0.3 * Float(region.blocks.count) else { continue }
      for block in region.blocks { values[block] = 1 }
    }
  }

  /// Returns the blocks that are 4-connected with one.
  private func region(from start: Int, _ isSeen: inout [Bool]) -> (blocks: [Int], touchesEdge: Bool) {
    var (blocks, next, touchesEdge) = ([start], 0, false)
    isSeen[start] = true
    while next < blocks.count {
      let block = blocks[next]
      next += 1
      let (x, y) = (block % size.width, block / size.width)
      if x == 0 || y == 0 || x == size.width - 1 || y == size.height - 1 { touchesEdge = true }
      for (column, line) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
      where 0..<size.width ~= column && 0..<size.height ~= line && !isSeen[line * size.width + column] {
        isSeen[line * size.width + column] = true
        blocks.append(line * size.width + column)
      }
    }
    return (blocks, touchesEdge)
  }
}
