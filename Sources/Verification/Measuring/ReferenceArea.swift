internal import ColorScience
internal import Frames
internal import Patterns

/// A part of a pattern as samples that it should be, moved by any part of a pixel.
struct ReferenceArea: Sendable {
  /// Pixels around the area that filters reach into.
  private static let margin = 6

  /// In pixels of the picture.
  let area: PictureArea
  private let reading: SignalReading
  /// Components of each pixel of the area and its margin, row by row.
  private let pixels: [SIMD3<Double>]
  private let columns: Int
  private let rows: Int

  /// - Parameters:
  ///   - painter: Of a drawing that fills the picture pixel by pixel.
  ///   - rendition: What signals of the pattern should be in the input.
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

  /// A component is not the same everywhere, rounding aside.
  func hasStructure(_ component: Int) -> Bool {
    guard let first = pixels.first?[component] else { return false }
    return pixels.contains { abs($0[component] - first) > 2 }
  }

  /// The samples of a component within the area, if the picture had moved.
  /// - Parameters:
  ///   - samples: In the component's plane, within the area.
  ///   - shift: To the right and down, in pixels of luma, at most 2 either way.
  func samples(_ component: Int, _ samples: PictureArea, movedBy shift: SIMD2<Double>) -> [Double] {
    let subsampling = component == 0 ? (0, 0) : (reading.layout.chromaShiftX, reading.layout.chromaShiftY)
    // Only chroma that is subsampled has a siting of its own.
    let siting = reading.color.chromaLocation.offset
    let offset = SIMD2(subsampling.0 == 1 ? siting.x : 0, subsampling.1 == 1 ? siting.y : 0)
    let across = (samples.x..<samples.maxX).map { taps($0, subsampling.0, offset.x - shift.x, area.x, columns) }
    let down = (samples.y..<samples.maxY).map { taps($0, subsampling.1, offset.y - shift.y, area.y, rows) }
    var result: [Double] = []
    result.reserveCapacity(samples.width * samples.height)
    // Rows that were filtered across, by their place: neighbours share them.
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

  /// Taps in `pixels` of a sample: chroma as patterns are painted, what is not subsampled between two neighbours.
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
