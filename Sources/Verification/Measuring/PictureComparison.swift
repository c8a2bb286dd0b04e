internal import Frames
internal import Patterns

/// Compares whole frames coarsely with the pattern, because the areas between patches are not measured otherwise.
///
/// A sample may have any value that the pattern has within two samples, to allow for filters, and deviate by some
/// codes, more near strong edges because of ringing. Areas that change between frames are excluded, and so are labels,
/// whose fonts depend on the machine.
struct PictureComparison {
  /// A deviation of a frame from the pattern.
  struct Finding: Sendable {
    var frame: Int
    /// Bounding box.
    var area: PictureArea
    /// Number of deviating samples of the component with the most.
    var samples: Int

    fileprivate func joined(_ other: Finding) -> Finding {
      let (x, y) = (min(area.x, other.area.x), min(area.y, other.area.y))
      let (right, bottom) = (max(area.maxX, other.area.maxX), max(area.maxY, other.area.maxY))
      return Finding(
        frame: frame, area: PictureArea(x: x, y: y, width: right - x, height: bottom - y),
        samples: samples + other.samples)
    }
  }

  /// Samples across and down of a block.
  private static let block = 16
  /// Minimum number of deviating samples in a block, above noise.
  private static let minimumSamples = 12
  /// Tolerance of any sample in ten-bit codes, and as a share of the contrast nearby.
  private static let maximumCodes = 40.0
  private static let ringing = 0.15
  /// Standard deviations of noise.
  private static let maximumNoise = 4.0
  /// Margin in pixels around excluded areas, for filters.
  private static let margin = 4

  private let components: [Component]
  /// The frame with the most deviations, and the number of such frames.
  private(set) var worst: Finding?
  private(set) var frames = 0
  /// The worst deviation over patches, which have a separate rule.
  private(set) var overPatches: Finding?

  /// - Parameters:
  ///   - left: Areas to exclude in addition to labels.
  ///   - patches: Patch areas in the picture.
  ///   - noise: Standard deviation of flat areas of the input, in codes.
  init(
    _ drawing: PatternDrawing, leaving left: [PictureArea], patches: [PictureArea], _ rendition: Rendition,
    noise: Double, _ reader: SampleReader
  ) {
    let painter = PatternPainter(drawing)
    let masked = left + drawing.labels.map(\.area)
    components = (0..<(rendition.reading.layout.components == .gray ? 1 : 3)).map { component in
      Component(component, painter, masked, patches, rendition, noise, reader)
    }
  }

  mutating func add(_ frame: CodedFrame, at index: Int) {
    let findings = components.map { $0.findings(in: frame, at: index) }
    func largest(_ findings: [Finding?]) -> Finding? { findings.compactMap(\.self).max { $0.samples < $1.samples } }
    if let found = largest(findings.map(\.over)), found.samples > overPatches?.samples ?? 0 { overPatches = found }
    guard let found = largest(findings.map(\.beside)) else { return }
    frames += 1
    if found.samples > worst?.samples ?? 0 { worst = found }
  }

  /// Tolerated sample values of a component.
  private struct Component {
    private let plane: Int
    private let shifts: (x: Int, y: Int)
    private let size: Size
    /// Whether each block is a patch, row by row.
    private var isPatch: [Bool] = []
    /// Minimum and maximum code of each sample, row by row.
    private var low: [UInt16] = []
    private var high: [UInt16] = []

    init(
      _ component: Int, _ painter: PatternPainter, _ masked: [PictureArea], _ patches: [PictureArea],
      _ rendition: Rendition, _ noise: Double, _ reader: SampleReader
    ) {
      let reading = rendition.reading
      plane = reading.isRGB ? [2, 0, 1][component] : component
      shifts = reader.shifts(component)
      size = reader.size(component)
      let expected = Self.expected(component, painter, rendition, reader)
      let contrast = Self.contrast(expected, size)
      let isCoarse = shifts.x + shifts.y > 0
      (low, high) = (expected, expected)
      Self.spread(&low, size, reach: isCoarse ? 1 : 2, min)
      Self.spread(&high, size, reach: isCoarse ? 1 : 2, max)
      if !isCoarse { keepEdges(expected) }
      let slack = max(maximumCodes * Double(1 << reading.layout.bitDepth) / 1024, maximumNoise * noise)
      let columns = (size.width + block - 1) / block
      for y in 0..<size.height {
        for x in 0..<size.width {
          let place = y * size.width + x
          let maximum = slack + ringing * Double(contrast[y / block * columns + x / block])
          low[place] = UInt16(max(Double(low[place]) - maximum, 0))
          high[place] = UInt16(min(Double(high[place]) + maximum, 65_535))
        }
      }
      for area in masked { leaveOut(area) }
      let middles = (0..<(size.height + block - 1) / block).flatMap { row in
        (0..<columns).map { ((2 * $0 + 1) * block << shifts.x, (2 * row + 1) * block << shifts.y) }
      }
      isPatch = middles.map { x, y in patches.contains { $0.contains(x: x / 2, y: y / 2) } }
    }

    /// The codes of a pattern that fills the picture, in strips.
    private static func expected(
      _ component: Int, _ painter: PatternPainter, _ rendition: Rendition, _ reader: SampleReader
    ) -> [UInt16] {
      let size = painter.size
      var codes: [UInt16] = []
      for top in stride(from: 0, to: size.height, by: 64) {
        let strip = PictureArea(x: 0, y: top, width: size.width, height: min(64, size.height - top))
        let extent = reader.size(component)
        let (first, end) = (top >> reader.shifts(component).y, min(top + 64, size.height))
        let last = end == size.height ? extent.height : end >> reader.shifts(component).y
        let area = PictureArea(x: 0, y: first, width: extent.width, height: last - first)
        let reference = ReferenceArea(strip, painter, rendition)
        codes += reference.samples(component, area, movedBy: .zero).map { UInt16(min(max($0.rounded(), 0), 65_535)) }
      }
      return codes
    }

    /// Returns the code range within each block and its neighbours.
    private static func contrast(_ codes: [UInt16], _ size: Size) -> [UInt16] {
      let columns = (size.width + block - 1) / block, rows = (size.height + block - 1) / block
      var low = [UInt16](repeating: .max, count: columns * rows)
      var high = [UInt16](repeating: 0, count: columns * rows)
      for y in 0..<size.height {
        for x in 0..<size.width {
          let (place, code) = (y / block * columns + x / block, codes[y * size.width + x])
          low[place] = min(low[place], code)
          high[place] = max(high[place], code)
        }
      }
      let blocks = Size(width: columns, height: rows)
      spread(&low, blocks, reach: 1, min)
      spread(&high, blocks, reach: 1, max)
      return zip(low, high).map { $1 - $0 }
    }

    /// Replaces each value by the minimum, or the maximum, of its neighbourhood.
    private static func spread(
      _ values: inout [UInt16], _ size: Size, reach: Int, _ choose: (UInt16, UInt16) -> UInt16
    ) {
      for (length, step, lines, line) in [
        (size.width, 1, size.height, size.width), (size.height, size.width, size.width, 1),
      ] {
        var copy = [UInt16](repeating: 0, count: length)
        for start in 0..<lines {
          for place in 0..<length { copy[place] = values[start * line + place * step] }
          for place in 0..<length {
            var value = copy[place]
            for near in max(place - reach, 0)...min(place + reach, length - 1) { value = choose(value, copy[near]) }
            values[start * line + place * step] = value
          }
        }
      }
    }

    /// Requires exact values of the outermost samples, which reveal overscan.
    private mutating func keepEdges(_ expected: [UInt16]) {
      for y in 0..<size.height {
        let isEdge = y == 0 || y == size.height - 1
        for x in isEdge ? Array(0..<size.width) : [0, size.width - 1] {
          let place = y * size.width + x
          (low[place], high[place]) = (expected[place], expected[place])
        }
      }
    }

    private mutating func leaveOut(_ area: PictureArea) {
      let left = max(area.x - margin, 0) >> shifts.x, top = max(area.y - margin, 0) >> shifts.y
      let right = min((area.maxX + margin) >> shifts.x + 1, size.width)
      let bottom = min((area.maxY + margin) >> shifts.y + 1, size.height)
      guard left < right else { return }
      for y in top..<max(bottom, top) {
        for place in y * size.width + left..<y * size.width + right { (low[place], high[place]) = (0, .max) }
      }
    }

    /// Returns deviations over patches, and beside them.
    func findings(in frame: CodedFrame, at index: Int) -> (over: Finding?, beside: Finding?) {
      let columns = (size.width + block - 1) / block
      var counts = [Int](repeating: 0, count: columns)
      var (over, beside): (Finding?, Finding?) = (nil, nil)
      for y in 0..<size.height {
        count(frame, y, &counts)
        guard y % block == block - 1 || y == size.height - 1 else { continue }
        for column in 0..<columns where counts[column] >= minimumSamples {
          let area = PictureArea(
            x: column * block << shifts.x, y: y / block * block << shifts.y, width: block << shifts.x,
            height: block << shifts.y
          ).intersection(PictureArea(frame.size))
          let finding = Finding(frame: index, area: area, samples: counts[column])
          if isPatch[y / block * columns + column] {
            over = over?.joined(finding) ?? finding
          } else {
            beside = beside?.joined(finding) ?? finding
          }
        }
        for column in 0..<columns { counts[column] = 0 }
      }
      return (over, beside)
    }

    /// Adds the deviating samples of a row to the counts of their blocks.
    private func count(_ frame: CodedFrame, _ y: Int, _ counts: inout [Int]) {
      let (width, layout) = (size.width, frame.layout)
      let place = layout.place(of: plane)
      let (step, first) = (place.step, place.first)
      unsafe frame.withPlane(place.plane) { view in
        let row = unsafe UnsafeRawPointer(view.row(y))
        let limits = y * width
        unsafe low.withUnsafeBufferPointer { low in
          unsafe high.withUnsafeBufferPointer { high in
            for start in stride(from: 0, to: width, by: block) {
              var off = 0
              for x in start..<min(start + block, width) {
                let code =
                  layout.bytesPerSample == 1
                  ? UInt16(unsafe row.load(fromByteOffset: x * step + first, as: UInt8.self))
                  : unsafe row.load(fromByteOffset: 2 * (x * step + first), as: UInt16.self) >> layout.sampleShift
                off += unsafe code < low[limits + x] || code > high[limits + x] ? 1 : 0
              }
              counts[start / block] += off
            }
          }
        }
      }
    }
  }
}
