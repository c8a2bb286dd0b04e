internal import Frames

/// Draws the levels of columns: a waveform, or one component of a parade.
struct LevelTrace {
  /// Columns drawn at a time, so that their rows stay in the first-level cache.
  private static let block = 64
  /// Saturation of counts that might overflow sixteen bits in sums of four.
  private static let maximumCounted: UInt32 = 16_383
  /// The count at full brightness, as a multiple of the count of a uniform distribution.
  private static let concentration = 24.0

  private let box: PictureArea
  private let color: ScopeColor
  private let rows: PixelBins
  /// Groups of four levels per row.
  private let groups: Int
  /// The first level of each group of each row from the bottom, and which of the four belong to the row.
  private let starts: [Int32]
  private let masks: [UInt64]

  init(box: PictureArea, color: ScopeColor) {
    (self.box, self.color) = (box, color)
    let levels = ScopeCounts.levels
    let rows = PixelBins(pixels: box.height, range: 0..<Double(levels), bins: levels)
    let groups = ((rows.count.max() ?? 1) + 3) / 4
    var (starts, masks): ([Int32], [UInt64]) = ([], [])
    for (first, count) in zip(rows.first, rows.count) {
      for group in 0..<groups {
        let start = min(first + 4 * group, levels - 4)
        let lanes = (0..<4).filter { start + $0 >= first + 4 * group && start + $0 < first + count }
        starts.append(Int32(start))
        masks.append(lanes.reduce(0) { $0 | 0xFFFF << UInt64(16 * $1) })
      }
    }
    (self.rows, self.groups, self.starts, self.masks) = (rows, groups, starts, masks)
  }

  /// - Parameter levels: As in `ScopeCounts`.
  func paint(_ levels: [UInt16], columns: Int, of size: Size, on target: TraceTarget) {
    let bins = PixelBins(pixels: box.width, range: 0..<Double(columns), bins: columns)
    let pixels = Double(size.width) * Double(size.height)
    let tone = TraceTone(full: Self.concentration * pixels / Double(min(columns, box.width) * box.height))
    let maximumAdded = Double(bins.count.max() ?? 1) * (pixels / Double(columns) + Double(size.height))
    let isLimited = maximumAdded > Double(UInt16.max)
    unsafe withUnsafeTemporaryAllocation(of: UInt16.self, capacity: ScopeCounts.levels) { sums in
      unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.block * box.height) { codes in
        unsafe levels.withUnsafeBufferPointer { levels in
          guard let sums = sums.baseAddress, let codes = codes.baseAddress, let levels = levels.baseAddress
          else { return }
          for left in stride(from: 0, to: box.width, by: Self.block) {
            let width = min(Self.block, box.width - left)
            for x in 0..<width {
              let first = unsafe levels + bins.first[left + x] * ScopeCounts.levels
              let count = bins.count[left + x]
              let column = unsafe Self.sum(first, columns: count, isLimited: isLimited, in: sums)
              unsafe fold(column, to: codes + x)
            }
            unsafe draw(codes, left: left, width: width, offsets: bins.offsets, tone: tone, on: target)
          }
        }
      }
    }
  }

  /// Adds up adjacent columns.
  /// - Parameter isLimited: Counts and sums saturate at `maximumCounted`; otherwise they are too small to overflow.
  /// - Returns: `sums`, or the only column itself.
  private static func sum(
    _ levels: UnsafePointer<UInt16>, columns: Int, isLimited: Bool, in sums: UnsafeMutablePointer<UInt16>
  ) -> UnsafePointer<UInt16> {
    if columns == 1 && !isLimited { return unsafe levels }
    unsafe sums.update(repeating: 0, count: ScopeCounts.levels)
    for column in 0..<columns {
      let more = unsafe levels + column * ScopeCounts.levels
      if isLimited {
        for level in 0..<ScopeCounts.levels {
          let sum = unsafe UInt32(sums[level]) &+ UInt32(more[level])
          unsafe sums[level] = UInt16(truncatingIfNeeded: min(sum, maximumCounted))
        }
      } else {
        for level in 0..<ScopeCounts.levels { unsafe sums[level] &+= more[level] }
      }
    }
    return unsafe UnsafePointer(sums)
  }

  /// Computes the codes of the rows of one column.
  /// - Parameter codes: Code of the lowest row; the others follow at intervals of `block`.
  private func fold(_ levels: UnsafePointer<UInt16>, to codes: UnsafeMutablePointer<UInt8>) {
    let (groups, height, levels) = unsafe (groups, box.height, UnsafeRawPointer(levels))
    unsafe CountCode.table.withUnsafeBufferPointer { table in
      unsafe starts.withUnsafeBufferPointer { starts in
        unsafe masks.withUnsafeBufferPointer { masks in
          guard let table = table.baseAddress, let starts = starts.baseAddress, let masks = masks.baseAddress
          else { return }
          // The upper sixteen bits of this product are the sum of the four.
          func sum(_ group: Int) -> Int {
            let four = unsafe levels.loadUnaligned(fromByteOffset: Int(starts[group]) &* 2, as: UInt64.self)
            return Int(truncatingIfNeeded: unsafe ((four & masks[group]) &* 0x0001_0001_0001_0001) &>> 48)
          }
          if groups == 1 {
            for row in 0..<height { unsafe codes[row &* Self.block] = table[sum(row)] }
          } else {
            for row in 0..<height {
              var count = 0
              for group in (row &* groups)..<(row &* groups &+ groups) { count &+= sum(group) }
              unsafe codes[row &* Self.block] = table[min(count, CountCode.maximum)]
            }
          }
        }
      }
    }
  }

  private func draw(
    _ codes: UnsafeMutablePointer<UInt8>, left: Int, width: Int, offsets: [UInt8], tone: TraceTone,
    on target: TraceTarget
  ) {
    unsafe offsets.withUnsafeBufferPointer { offsets in
      guard let offsets = offsets.baseAddress else { return }
      for row in 0..<box.height {
        let codes = unsafe codes + row * Self.block
        unsafe tone.apply(to: codes, count: width, offsets: offsets + left, rowOffset: rows.offsets[row])
        unsafe target.add(codes, count: width, color, x: box.x + left, y: box.maxY - 1 - row)
      }
    }
  }
}

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
    (self.box, self.color) = (box, color)
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
      let top = min(tops[max(x - 1, 0)], tops[x], tops[min(x + 1, tops.count - 1)])
      return Int16(max(Int(top) - lineWidth, 0))
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
    let maximum = Double(box.height * steps)
    return zip(columns.first, columns.count).map { first, count in
      let sum = totals.counts[first..<(first + count)].reduce(0) { $0 + Int($1) }
      guard sum > 0, peak > 0 else { return 0 }
      let height = maximum * (Double(sum) / (Double(count) * peak)).squareRoot()
      return Int16(min(max(height, Double(steps)), maximum).rounded())
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
