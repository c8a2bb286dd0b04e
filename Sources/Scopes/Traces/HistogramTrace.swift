internal import Frames

/// Draws the number of pixels per level as a filled curve with square-root heights.
struct HistogramTrace {
  /// Maximum height steps per pixel.
  private static let maximumSteps = 16
  /// Brightness below the curve, out of 255.
  private static let filling: Int16 = 104

  private let box: PictureArea
  private let color: ScopeColor
  private let columns: PixelBins
  /// Steps per pixel: a power of two, such that heights of the box fit in an Int16.
  private let steps: Int
  /// The width of the curve in steps.
  private let lineWidth: Int

  /// - Parameter lineWidth: Line width in pixels.
  init(box: PictureArea, color: ScopeColor, lineWidth: Int) {
    self.box = box
    self.color = color
    var steps = Self.maximumSteps
    while steps > 1, (box.height + lineWidth) * steps > Int(Int16.max) { steps /= 2 }
    self.steps = steps
    self.lineWidth = lineWidth * steps
    columns = PixelBins(pixels: box.width, range: 0..<Double(ScopeCounts.levels), bins: ScopeCounts.levels)
  }

  /// - Parameter peak: The number of pixels at full height; higher counts are clipped.
  func paint(_ totals: LevelTotals, peak: Double, on target: TraceTarget) {
    let tops = tops(totals, peak: peak)
    let edges = tops.indices.map { x -> Int16 in
      let least = min(tops[max(x - 1, 0)], tops[x], tops[min(x + 1, tops.count - 1)])
      return Int16(max(Int(least) - lineWidth, 0))
    }
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: box.width) { light in
      guard let light = light.baseAddress else { return }
      unsafe tops.withUnsafeBufferPointer { tops in
        unsafe edges.withUnsafeBufferPointer { edges in
          guard let tops = tops.baseAddress, let edges = edges.baseAddress else { return }
          for row in 0..<box.height {
            unsafe shade(light, count: box.width, tops: tops, edges: edges, row: row)
            unsafe target.add(light, count: box.width, color, x: box.x, y: box.maxY - 1 - row)
          }
        }
      }
    }
  }

  /// Returns heights in steps; non-zero counts are at least one step high.
  private func tops(_ totals: LevelTotals, peak: Double) -> [Int16] {
    let most = Double(box.height * steps)
    return zip(columns.first, columns.count).map { first, count in
      let sum = totals.counts[first..<(first + count)].reduce(0) { $0 + Int($1) }
      guard sum > 0, peak > 0 else { return 0 }
      let height = most * (Double(sum) / (Double(count) * peak)).squareRoot()
      return Int16(min(max(height, Double(steps)), most).rounded())
    }
  }

  /// Returns the brightness of a row: full on the line between `edges` and `tops`, less below.
  @inline(__always)
  private func shade(
    _ light: UnsafeMutablePointer<UInt8>, count: Int, tops: UnsafePointer<Int16>, edges: UnsafePointer<Int16>,
    row: Int
  ) {
    let bottom = Int16(truncatingIfNeeded: row * steps)
    let (full, filling, shift) = (Int16(steps), Self.filling, UInt16(steps.trailingZeroBitCount))
    for x in 0..<count {
      let below = unsafe Int16.smaller(.larger(tops[x] &- bottom, 0), full)
      let inside = unsafe Int16.smaller(.larger(edges[x] &- bottom, 0), full)
      let sum = UInt16(truncatingIfNeeded: inside &* filling &+ (below &- inside) &* 255) &>> shift
      unsafe light[x] = UInt8(truncatingIfNeeded: sum)
    }
  }
}
