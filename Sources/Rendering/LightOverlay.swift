internal import SIMDShims

/// Graphics that are blended over a coded picture in linear light, after all stages of its output.
///
/// Samples are premultiplied: a pixel of coverage a becomes light · (1 − a) + sample · white. Rows hold only the
/// columns between the first and the last that the graphics reach; pixels of no coverage keep their light exactly.
public struct LightOverlay: Sendable {
  /// The columns of one row.
  public struct Span: Sendable, Hashable {
    /// The leftmost column.
    public var first: Int
    /// Number of columns.
    public var count: Int
    /// Index of the sample of the leftmost column.
    public var offset: Int

    /// A span without columns is empty.
    public init(first: Int, count: Int, offset: Int) {
      (self.first, self.count, self.offset) = (first, count, offset)
    }
  }

  /// Picture row of the first span.
  public let firstRow: Int
  /// One for each row, from the first.
  public let spans: [Span]
  /// Red, green and blue, 1 at graphics white, multiplied by the coverage, which is the fourth.
  public let samples: [SIMD4<Float>]
  /// Light of graphics white in units of the bands that are coded.
  public var white: Double

  /// - Parameters:
  ///   - firstRow: Picture row of the first span, at least 0.
  ///   - spans: Columns of the picture, one span for each row.
  ///   - samples: Holds all spans.
  ///   - white: Light of graphics white in units of the bands that are coded.
  public init(firstRow: Int, spans: [Span], samples: [SIMD4<Float>], white: Double = 1) {
    precondition(
      firstRow >= 0
        && spans.allSatisfy {
          $0.first >= 0 && $0.count >= 0 && $0.offset >= 0 && $0.offset + $0.count <= samples.count
        })
    (self.firstRow, self.spans, self.samples, self.white) = (firstRow, spans, samples, white)
  }

  /// The rows of the picture that the graphics reach.
  public var rows: Range<Int> { firstRow..<firstRow + spans.count }

  /// Blends a row into roots of light, where 1 is the light of full signal.
  /// - Parameters:
  ///   - row: Row of the picture.
  ///   - width: Columns of the picture.
  ///   - full: Light of full signal in units of bands.
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
