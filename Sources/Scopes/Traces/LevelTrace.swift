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
    self.box = box
    self.color = color
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

  /// - Parameters:
  ///   - levels: As in `ScopeCounts`.
  ///   - size: Size of the counted picture.
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
              unsafe codes[row &* Self.block] = table[min(count, CountCode.most)]
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
