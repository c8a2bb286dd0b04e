internal import ColorScience
internal import Frames
internal import Patterns

/// Tracks the sequence of frame numbers.
struct FrameTally: Sendable {
  private struct Gap {
    var result: FrameResult.Gap
    var numbers: Range<Int>
  }

  /// Maximum number of frame indices stored per kind, to bound memory.
  private static let maximumPlaces = 10_000

  private var first: Int?
  private var last = 0
  private var highest = 0
  private var repeated: [Int] = []
  private var reordered: [Int] = []
  private var gaps: [Gap] = []
  private var unreadable = 0

  /// - Parameters:
  ///   - number: The frame's number; nil: unreadable.
  ///   - index: Index in the input, from 0.
  mutating func add(_ number: Int?, at index: Int) {
    guard let number else {
      unreadable += 1
      return
    }
    defer { last = number }
    guard first != nil else {
      first = number
      highest = number
      return
    }
    if number == last {
      if repeated.count < Self.maximumPlaces { repeated.append(index) }
    } else if number > highest {
      if number > highest + 1, gaps.count < Self.maximumPlaces {
        gaps.append(
          Gap(result: .init(after: index - 1, count: number - highest - 1), numbers: highest + 1..<number))
      }
      highest = number
    } else {
      if reordered.count < Self.maximumPlaces { reordered.append(index) }
      // It is late, not lost.
      if let gap = gaps.lastIndex(where: { $0.numbers.contains(number) }) {
        gaps[gap].result.count -= 1
        if gaps[gap].result.count == 0 { gaps.remove(at: gap) }
      }
    }
  }

  /// nil: no number was read.
  var result: FrameResult? {
    guard first != nil || unreadable > 0 else { return nil }
    var result = FrameResult(first: first ?? 0, last: last)
    (result.repeated, result.reordered) = (repeated, reordered)
    result.dropped = gaps.map(\.result)
    result.unreadable = unreadable
    return result
  }
}

/// Reads a frame number from its code cells.
struct FrameCodeReader: Sendable {
  /// Cells of the code in the picture, row by row, without edges.
  private let cells: [PictureArea]
  /// Minimum contrast of black and white, as a fraction of the code range.
  private static let minimumContrast = 0.1

  /// - Returns: nil if a cell is cropped.
  init?(_ area: PictureArea, _ placement: Placement) {
    var cells: [PictureArea] = []
    for row in 0..<FrameCode.rows {
      for column in 0..<FrameCode.columns {
        func edge(_ index: Int, _ count: Int, _ extent: Int) -> Int { index * extent / count }
        let left = area.x + edge(column, FrameCode.columns, area.width)
        let right = area.x + edge(column + 1, FrameCode.columns, area.width)
        let top = area.y + edge(row, FrameCode.rows, area.height)
        let bottom = area.y + edge(row + 1, FrameCode.rows, area.height)
        let cell = placement.pixels(of: PictureArea(x: left, y: top, width: right - left, height: bottom - top))
        guard !cell.isEmpty else { return nil }
        cells.append(cell.inset(cell.width / 4, cell.height / 4))
      }
    }
    self.cells = cells
  }

  /// Returns the number; nil if cells are indistinguishable or the checksum is wrong.
  func number(_ reader: inout SampleReader, range: Double, isRGB: Bool) -> Int? {
    let levels = cells.compactMap { reader.statistics(isRGB ? 1 : 0, $0)?.mean }
    guard levels.count == cells.count, let low = levels.min(), let high = levels.max(),
      high - low > Self.minimumContrast * range
    else { return nil }
    return FrameCode.number(levels.map { $0 > (low + high) / 2 })
  }
}

/// Checks whether the moving marks of each frame match its frame number.
struct MarkTally: Sendable {
  /// A frame with marks of another frame, and its most conclusive mark.
  struct Finding: Sendable {
    var frame: Int
    var mark: String
    /// Share of the other frame in the mark, 0...1.
    var share: Double
  }

  /// Maximum number of frame indices stored per kind.
  private static let maximumPlaces = 10_000
  /// Marks with fewer samples are only classified as one state or the other.
  private static let minimumSamples = 48
  /// Additional tolerance over patches in ΔE ITP, because marks are small.
  private static let slack = 0.5
  /// Minimum share of the other state in a small mark that belongs to another frame.
  private static let minimumShare = 0.3
  private static let mostlyOther = 0.7
  /// Minimum deviating share of a mark that a tear crosses.
  private static let minimumTorn = 0.1

  private(set) var torn: [Finding] = []
  private(set) var blended: [Finding] = []

  mutating func add(
    _ reader: inout SampleReader, _ drawing: PatternDrawing, _ placement: Placement, _ rendition: Rendition,
    tolerance: Tolerance, at index: Int
  ) {
    var isTorn = false
    var worst: Finding?
    for mark in drawing.marks {
      guard let (share, isPart) = Self.look(&reader, mark, placement, rendition, tolerance) else { continue }
      isTorn = isTorn || isPart || share >= Self.mostlyOther
      if share > worst?.share ?? -1 { worst = Finding(frame: index, mark: mark.name, share: share) }
    }
    guard let worst else { return }
    if isTorn {
      if torn.count < Self.maximumPlaces { torn.append(worst) }
    } else if blended.count < Self.maximumPlaces {
      blended.append(worst)
    }
  }

  /// Returns the share of the other state in a mark, and whether only part of it has that state; nil: correct or
  /// undetermined.
  private static func look(
    _ reader: inout SampleReader, _ mark: PatternDrawing.Mark, _ placement: Placement, _ rendition: Rendition,
    _ tolerance: Tolerance
  ) -> (share: Double, isPart: Bool)? {
    let reading = rendition.reading
    let pixels = placement.pixels(of: mark.area)
    guard min(pixels.width, pixels.height) >= 3 else { return nil }
    let area = pixels.inset(min(max(pixels.width / 4, 1), 4), min(max(pixels.height / 4, 1), 4))
    // Marks are grey: chroma, which is coarser than the marks, is ignored.
    guard let seen = reader.statistics(reading.isRGB ? 1 : 0, area) else { return nil }
    func signal(_ level: Double) -> SIMD3<Double> {
      if reading.linearUnit != nil { return reading.signal(samples: SIMD3(repeating: level)) }
      let neutral = reading.isRGB ? level : reading.scale.chromaOffset
      return reading.signal(components: SIMD3(level, neutral, neutral))
    }
    let (expected, other) = (rendition.signal(mark.signal), rendition.signal(mark.other))
    let measured = signal(seen.mean)
    let way = (expected - other).sum()
    guard abs(way) > 0.05 else { return nil }
    let share = abs((expected - measured).sum() / way)
    let isPart = seen.rejected >= minimumTorn && area.width * area.height >= minimumSamples
    if isPart { return (share, true) }
    if area.width * area.height < minimumSamples { return share > minimumShare ? (share, false) : nil }
    let stored = reading.signal(components: reading.stored(expected))
    let difference = min(reading.deltaE(measured, expected), reading.deltaE(measured, stored))
    return difference > tolerance.deltaE + slack ? (share, false) : nil
  }
}
