internal import Frames
internal import SIMDShims

/// Graphics blended over a coded picture in linear light, after all stages of its output.
///
/// Samples are premultiplied: a pixel of coverage a becomes light · (1 − a) + sample · white. Rows contain only the
/// columns between the first and last that the graphics cover; pixels without coverage keep their light exactly.
public struct LightOverlay: Sendable {
  /// The columns of one row.
  public struct Span: Sendable, Hashable {
    /// The leftmost column.
    public var first: Int
    /// Number of columns.
    public var count: Int
    /// Index of the leftmost column's sample.
    public var offset: Int

    /// Creates a span; without columns, it is empty.
    public init(first: Int, count: Int, offset: Int) {
      (self.first, self.count, self.offset) = (first, count, offset)
    }
  }

  /// Picture row of the first span.
  public let firstRow: Int
  /// One per row, from the first.
  public let spans: [Span]
  /// Red, green and blue, 1 at graphics white, premultiplied by the coverage, which is the fourth component.
  public let samples: [SIMD4<Float>]
  /// Light of graphics white in units of the coded bands.
  public var white: Double

  /// - Parameters:
  ///   - firstRow: Picture row of the first span, at least 0.
  ///   - spans: Columns of the picture, one span per row.
  ///   - samples: Samples of all spans.
  ///   - white: Light of graphics white in units of the coded bands.
  public init(firstRow: Int, spans: [Span], samples: [SIMD4<Float>], white: Double = 1) {
    precondition(
      firstRow >= 0
        && spans.allSatisfy {
          $0.first >= 0 && $0.count >= 0 && $0.offset >= 0 && $0.offset + $0.count <= samples.count
        })
    (self.firstRow, self.spans, self.samples, self.white) = (firstRow, spans, samples, white)
  }

  /// The picture rows that the graphics cover.
  public var rows: Range<Int> { firstRow..<firstRow + spans.count }

  /// Whether the graphics cover rows of a picture, which is a field or the whole frame.
  func reaches(_ rows: Range<Int>, in field: Field?) -> Bool {
    let step = field == nil ? 1 : 2
    let (first, last) = (step * rows.lowerBound, step * rows.upperBound)
    return self.rows.overlaps(first - Self.chromaReach * step..<last + Self.chromaReach * step)
  }

  /// Maximum distance of the luma positions averaged in a chroma sample, in each direction.
  private static let chromaReach = 2

  /// Copies code values to rows of a picture with coded graphics: all samples that the graphics do not affect.
  /// - Parameters:
  ///   - rows: Rows of the picture.
  ///   - source: The picture without the graphics.
  ///   - field: The field that both pictures are; nil: they are frames.
  func copyCodes(rows: Range<Int>, of source: CodedFrame, to result: CodedFrame, field: Field?) {
    let (layout, size) = (result.layout, result.size)
    for component in 0..<layout.planeCount {
      let isReduced = component > 0 && layout.components != .rgb
      let (shiftX, shiftY) = isReduced ? (layout.chromaShiftX, layout.chromaShiftY) : (0, 0)
      let width = layout.planeSize(component, of: size).width
      for row in layout.rows(of: component, in: rows) {
        // Bounds of the luma positions of a sample.
        let lines = shiftY == 0 ? row...row : 2 * row - 1...2 * row + 2
        let spans = lines.compactMap { span(ofRow: $0, in: field) }.filter { $0.count > 0 }
        let first = spans.map(\.first).min() ?? 0
        let end = spans.map { $0.first + $0.count }.max() ?? 0
        let reached = max((first - 2) >> shiftX, 0)..<max((end + 2) >> shiftX, 0) + 1
        var begin = 0
        for column in reached.clamped(to: 0..<width) {
          let columns = shiftX == 0 ? column...column : 2 * column - 1...2 * column + 2
          guard spans.contains(where: { covers($0, columns) }) else { continue }
          source.copyCodes(of: component, row: row, columns: begin..<column, to: result)
          begin = column + 1
        }
        source.copyCodes(of: component, row: row, columns: begin..<width, to: result)
      }
    }
  }

  private func span(ofRow row: Int, in field: Field?) -> Span? {
    let row = field.map { 2 * row + $0.rawValue } ?? row
    return rows.contains(row) ? spans[row - firstRow] : nil
  }

  private func covers(_ span: Span, _ columns: ClosedRange<Int>) -> Bool {
    let within = columns.clamped(to: span.first...span.first + span.count - 1)
    guard columns.overlaps(within) else { return false }
    return within.contains { samples[span.offset + $0 - span.first].w != 0 }
  }

  /// Blends a row into roots of light, where 1 is full signal.
  /// - Parameters:
  ///   - row: Row of the picture.
  ///   - width: Columns of the picture.
  ///   - full: Light of full signal in band units.
  @unsafe
  func blend(_ row: Int, into roots: hr_float_rows, isFourthRoot: Bool, width: Int, full: Double) {
    guard rows.contains(row) else { return }
    let span = spans[row - firstRow]
    let scale = Float(white / full)
    for column in span.first..<min(span.first + span.count, width) {
      let sample = samples[span.offset + column - span.first]
      if sample.w == 0 { continue }
      var light = unsafe SIMD4(roots.first[column], roots.second[column], roots.third[column], 0)
      light *= light
      if isFourthRoot { light *= light }
      light = light * (1 - sample.w) + sample * scale
      light.clamp(lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 1))
      light = light.squareRoot()
      if isFourthRoot { light = light.squareRoot() }
      unsafe (roots.first[column], roots.second[column], roots.third[column]) = (light.x, light.y, light.z)
    }
  }
}
