internal import Frames

/// How well a downscaled picture agrees with a pattern at a placement, independent of tones and colours.
///
/// The measure is the correlation ratio: the fraction of one picture's variance that is explained by the other's
/// classes. It holds for any function of colours, not only linear ones.
/// Source: A. Roche et al., "The correlation ratio as a new similarity measure for multimodal image registration",
/// MICCAI 1998.
struct Agreement: Sendable {
  /// Fraction of the picture's variance that the pattern explains, 0...1.
  var explained = 0.0
  /// Fraction of the pattern's variance that the picture shows, 0...1: less if tones are clipped.
  var shown = 0.0
  /// Standard deviation of the picture inside, all components together, as a signal.
  var contrast = 0.0
  /// Variance of the picture around the pattern, relative to that inside.
  var around = 0.0

  /// One number to rank placements by.
  var score: Double { explained * (0.5 + 0.5 * shown) - min(around, 1) }

  /// Minimum standard deviation, as a signal, of a picture that is not flat.
  static let minimumContrast = 0.004

  /// - Parameters:
  ///   - placement: In pixels of the full-size picture and pattern.
  init(_ placement: Placement, of pattern: ClassedGrid, in picture: ClassedGrid) {
    let columns = Self.cells(placement.axis(0), pattern.grid, picture.grid.width, picture.grid.block)
    let rows = Self.cells(placement.axis(1), pattern.grid, picture.grid.height, picture.grid.block)
    var inside = Classes(pattern.classCount), reverse = Classes(picture.classCount)
    var outside = Classes(1)
    for y in 0..<picture.grid.height {
      for x in 0..<picture.grid.width {
        let index = y * picture.grid.width + x
        let value = picture.grid.values[index]
        guard value.w > 0 else { continue }
        guard rows[y] >= 0, columns[x] >= 0 else {
          if rows[y] != Self.border, columns[x] != Self.border { outside.add(value, 0) }
          continue
        }
        let cell = rows[y] + columns[x]
        let expected = pattern.grid.values[cell]
        guard expected.w > 0 else { continue }
        inside.add(value, Int(pattern.classes[cell]))
        reverse.add(expected, Int(picture.classes[index]))
      }
    }
    let (within, total) = inside.variances
    guard inside.count > 0, total > 0 else { return }
    contrast = (total / Double(inside.count)).squareRoot()
    guard contrast >= Self.minimumContrast else { return }
    explained = 1 - within / total
    let (hidden, pattern) = reverse.variances
    shown = pattern > 0 ? 1 - hidden / pattern : 0
    around = outside.variances.total / total
  }

  private static let border = -2

  /// Returns the pattern's row or column of cells for each cell of the picture, as part of an index; -1: outside, -2:
  /// at the rim.
  private static func cells(_ axis: AxisPlacement, _ pattern: SignalGrid, _ count: Int, _ block: Int) -> [Int] {
    let isColumn = axis.patternAxis == 0
    let step = isColumn ? 1 : pattern.width
    let rim = Double(block) * 0.75
    return (0..<count).map { cell in
      let center = (Double(cell) + 0.5) * Double(block)
      if abs(center - axis.origin) < rim || abs(center - axis.end) < rim { return border }
      let source = axis.source(of: center)
      guard source >= 0, source < axis.length else { return -1 }
      return Int(source) / pattern.block * step
    }
  }

  /// Sums by class.
  private struct Classes {
    private var counts: [Float]
    private var sums: [SIMD4<Float>]
    private var squares = 0.0
    private(set) var count = 0

    init(_ count: Int) {
      counts = [Float](repeating: 0, count: count)
      sums = [SIMD4<Float>](repeating: .zero, count: count)
    }

    mutating func add(_ value: SIMD4<Float>, _ index: Int) {
      var value = value
      value.w = 0
      counts[index] += 1
      sums[index] += value
      squares += Double((value * value).sum())
      count += 1
    }

    /// Sums of squared differences from the means of the classes, and from the mean of all.
    var variances: (within: Double, total: Double) {
      var all = SIMD4<Double>.zero, between = 0.0
      for index in counts.indices where counts[index] > 0 {
        let sum = SIMD4<Double>(sums[index])
        all += sum
        between += (sum * sum).sum() / Double(counts[index])
      }
      guard count > 0 else { return (0, 0) }
      return (max(squares - between, 0), max(squares - (all * all).sum() / Double(count), 0))
    }
  }
}
