internal import ColorScience
internal import Frames
internal import Patterns

/// Measured fine structure of one component, with its reference.
struct DetailPart {
  let component: Int
  private let reference: ReferenceArea
  /// Area in the component's plane.
  private let area: PictureArea
  private let measured: Samples
  private let smooth: Samples

  /// Step in luma pixels for the derivative with respect to shift.
  private static let step = 0.25

  /// - Returns: nil if the component has no visible structure.
  init?(_ component: Int, _ reference: ReferenceArea, _ reader: SampleReader) {
    guard reference.hasStructure(component) else { return nil }
    self.component = component
    self.reference = reference
    let area = reader.area(component, of: reference.area)
    var values: [Double] = []
    values.reserveCapacity(area.width * area.height)
    for y in area.y..<area.maxY {
      reader.row(component, y, from: area.x, count: area.width) { values.append($1) }
    }
    self.area = area
    measured = Samples(values, area.width)
    smooth = measured.smoothed()
  }

  /// Accumulates the least-squares sums of the measurement against the shifted reference and its derivative by shift.
  /// - Parameter isSmooth: Ignores the finest structure: filters that attenuate it would look like shifts.
  func add(to sums: inout DetailSums, shift: SIMD2<Double>, slopes: Bool, isSmooth: Bool) {
    func moved(_ move: SIMD2<Double>) -> [Double] {
      let samples = Samples(reference.samples(component, area, movedBy: shift + move), area.width)
      return (isSmooth ? samples.smoothed() : samples).values
    }
    let base = moved(.zero)
    let seen = (isSmooth ? smooth : measured).values
    for place in base.indices { sums.add(base[place], measured: seen[place]) }
    guard slopes else { return }
    let steps = [SIMD2(Self.step, 0), SIMD2(0, Self.step)].map { (moved($0), moved(-$0)) }
    for place in base.indices {
      let change = SIMD2(steps[0].0[place] - steps[0].1[place], steps[1].0[place] - steps[1].1[place])
      sums.add(change / (2 * Self.step), base: base[place], measured: seen[place])
    }
  }

  /// Returns the share of blocks that differ from the structure by more than if it were entirely lost.
  func covered(contrast: Double, shift: SIMD2<Double>) -> Double {
    let base = Samples(reference.samples(component, area, movedBy: shift), area.width).values
    let energy = base.reduce(0) { $0 + $1 * $1 } / Double(max(base.count, 1))
    var (covered, all) = (0, 0)
    for top in stride(from: 0, through: area.height - Self.block, by: Self.block) {
      for left in stride(from: 0, through: area.width - Self.block, by: Self.block) {
        var sum = 0.0
        for y in top..<top + Self.block {
          for place in y * area.width + left..<y * area.width + left + Self.block {
            let off = measured.values[place] - contrast * base[place]
            sum += off * off
          }
        }
        all += 1
        if sum / Double(Self.block * Self.block) > Self.maximumEnergy * energy { covered += 1 }
      }
    }
    return all > 0 ? Double(covered) / Double(all) : 0
  }

  /// Samples across and down of a block.
  private static let block = 8
  /// Energy of the differences relative to the structure's: 1 if the structure is lost.
  private static let maximumEnergy = 1.5

  /// Samples of an area minus their mean, row by row.
  private struct Samples {
    let values: [Double]
    private let width: Int

    init(_ values: [Double], _ width: Int) {
      let mean = values.reduce(0, +) / Double(max(values.count, 1))
      self.values = values.map { $0 - mean }
      self.width = width
    }

    /// Removes the upper half of the frequencies: the binomial filter 1, 4, 6, 4, 1, twice in both directions.
    func smoothed() -> Samples {
      var result = values
      for _ in 0..<2 {
        result = Self.filtered(result, lines: values.count / max(width, 1), length: width, line: width, step: 1)
        result = Self.filtered(result, lines: width, length: values.count / max(width, 1), line: 1, step: width)
      }
      return Samples(result, width)
    }

    /// - Parameters:
    ///   - line: Offset from one line to the next.
    ///   - step: Offset from a sample of a line to the next.
    private static func filtered(_ values: [Double], lines: Int, length: Int, line: Int, step: Int) -> [Double] {
      guard length > 4 else { return values }
      var result = values
      for start in stride(from: 0, to: lines * line, by: line) {
        for index in 2..<length - 2 {
          let place = start + index * step
          let (near, far) = (
            values[place - step] + values[place + step], values[place - 2 * step] + values[place + 2 * step]
          )
          result[place] = (far + 4 * near + 6 * values[place]) / 16
        }
      }
      return result
    }
  }
}

/// Expected samples of a part of a pattern, shifted by fractions of a pixel.
struct ReferenceArea: Sendable {
  /// Margin in pixels around the area for filters.
  private static let margin = 6

  /// Area in picture pixels.
  let area: PictureArea
  private let reading: SignalReading
  /// Components of each pixel of the area and its margin, row by row.
  private let pixels: [SIMD3<Double>]
  private let columns: Int
  private let rows: Int

  /// - Parameters:
  ///   - painter: Painter of a drawing that fills the picture pixel by pixel.
  ///   - rendition: Expected input signals for pattern signals.
  init(_ area: PictureArea, _ painter: PatternPainter, _ rendition: Rendition) {
    self.area = area
    reading = rendition.reading
    columns = area.width + 2 * Self.margin
    rows = area.height + 2 * Self.margin
    var pixels: [SIMD3<Double>] = []
    pixels.reserveCapacity(columns * rows)
    let size = painter.size
    var signals = [SIMD3<Double>](repeating: .zero, count: size.width)
    var (last, lastComponents) = (SIMD3(repeating: Double.nan), SIMD3<Double>.zero)
    for row in 0..<rows {
      painter.paint(row: min(max(area.y + row - Self.margin, 0), size.height - 1), into: &signals)
      for column in 0..<columns {
        let signal = signals[min(max(area.x + column - Self.margin, 0), size.width - 1)]
        if signal != last { (last, lastComponents) = (signal, rendition.reading.components(rendition.signal(signal))) }
        pixels.append(lastComponents)
      }
    }
    self.pixels = pixels
  }

  /// Whether a component varies by more than rounding.
  func hasStructure(_ component: Int) -> Bool {
    guard let first = pixels.first?[component] else { return false }
    return pixels.contains { abs($0[component] - first) > 2 }
  }

  /// Returns the samples of a component within the area of a shifted picture.
  /// - Parameters:
  ///   - samples: Area in the component's plane.
  ///   - shift: Right and down in luma pixels, at most 2 in each direction.
  func samples(_ component: Int, _ samples: PictureArea, movedBy shift: SIMD2<Double>) -> [Double] {
    let subsampling = component == 0 ? (0, 0) : (reading.layout.chromaShiftX, reading.layout.chromaShiftY)
    // Only subsampled chroma has a separate siting.
    let siting = reading.color.chromaLocation.offset
    let offset = SIMD2(subsampling.0 == 1 ? siting.x : 0, subsampling.1 == 1 ? siting.y : 0)
    let across = (samples.x..<samples.maxX).map { taps($0, subsampling.0, offset.x - shift.x, area.x, columns) }
    let down = (samples.y..<samples.maxY).map { taps($0, subsampling.1, offset.y - shift.y, area.y, rows) }
    var result: [Double] = []
    result.reserveCapacity(samples.width * samples.height)
    // Horizontally filtered rows, shared by vertical neighbours.
    var filtered: [Int: [Double]] = [:]
    for (vertical, y) in zip(down, samples.y...) {
      for row in vertical.first..<vertical.first + vertical.weights.count where filtered[row] == nil {
        filtered[row] = across.map { horizontal in
          var sum = 0.0
          for (index, weight) in horizontal.weights.enumerated() {
            sum += weight * pixels[row * columns + horizontal.first + index][component]
          }
          return sum
        }
      }
      if y % 16 == 0 { filtered = filtered.filter { $0.key >= vertical.first } }
      let lines = vertical.weights.indices.map { filtered[vertical.first + $0] ?? [] }
      for column in across.indices {
        var sum = 0.0
        for (line, weight) in zip(lines, vertical.weights) { sum += weight * line[column] }
        result.append(sum)
      }
    }
    return result
  }

  /// Returns the filter taps in `pixels` for a sample: chroma as painted in patterns, other components between two
  /// neighbours.
  private func taps(_ sample: Int, _ subsampling: Int, _ offset: Double, _ start: Int, _ count: Int) -> (
    first: Int, weights: [Double]
  ) {
    var (first, weights) = (sample, [1.0])
    if subsampling == 1 {
      let taps = ChromaResampling.downsampling(chroma: sample, shift: 1, offset: offset)
      (first, weights) = (taps.first, taps.weights)
    } else if offset != 0 {
      let position = Double(sample) + offset
      first = Int(position.rounded(.down))
      weights = [1 - (position - Double(first)), position - Double(first)]
    }
    first += Self.margin - start
    return (min(max(first, 0), count - weights.count), weights)
  }
}
