internal import ColorScience
internal import Frames
internal import Patterns

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
