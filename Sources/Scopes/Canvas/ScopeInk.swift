internal import Frames

/// Coverage of an area's pixels by lines, 0...1, with the maximum where lines meet.
struct ScopeInk {
  let area: PictureArea
  private var values: [Float]

  init(area: PictureArea) {
    self.area = area
    values = Array(repeating: 0, count: max(area.width, 0) * max(area.height, 0))
  }

  subscript(x: Int, y: Int) -> Float { values[(y - area.y) * area.width + x - area.x] }

  /// Adds the line through `points`, in pixels, solid or dashed.
  mutating func add(path points: [SIMD2<Double>], width: Double, dash: (ink: Double, gap: Double)?) {
    var walked = 0.0
    for (start, end) in zip(points, points.dropFirst()) {
      let length = Self.length(end - start)
      defer { walked += length }
      guard let dash, length > 0 else {
        add(start, end, width: width)
        continue
      }
      let period = dash.ink + dash.gap
      var from = (walked / period).rounded(.down) * period - walked
      while from < length {
        let (first, last) = (max(from, 0), min(from + dash.ink, length))
        if last > first {
          add(start + (end - start) * (first / length), start + (end - start) * (last / length), width: width)
        }
        from += period
      }
    }
  }

  /// Adds a segment; coverage depends on the distance to pixel centres.
  private mutating func add(_ start: SIMD2<Double>, _ end: SIMD2<Double>, width: Double) {
    let reach = width / 2 + 1
    let (low, high) = (pointwiseMin(start, end) - reach, pointwiseMax(start, end) + reach)
    let along = end - start
    let square = (along * along).sum()
    visit(low, high) { middle in
      let part = square > 0 ? min(max(((middle - start) * along).sum() / square, 0), 1) : 0
      return width / 2 + 0.5 - Self.length(middle - start - along * part)
    }
  }

  mutating func add(ring centre: SIMD2<Double>, radius: Double, width: Double) {
    let reach = radius + width / 2 + 1
    visit(centre - reach, centre + reach) { middle in
      width / 2 + 0.5 - abs(Self.length(middle - centre) - radius)
    }
  }

  /// Raises pixels between two corners to the coverage at their centres.
  private mutating func visit(
    _ low: SIMD2<Double>, _ high: SIMD2<Double>, coverage: (SIMD2<Double>) -> Double
  ) {
    let box = PictureArea(
      x: Int(low.x.rounded(.down)), y: Int(low.y.rounded(.down)), width: Int((high.x - low.x).rounded(.up)) + 1,
      height: Int((high.y - low.y).rounded(.up)) + 1
    ).intersection(area)
    for y in box.y..<box.maxY {
      for x in box.x..<box.maxX {
        let value = Float(min(max(coverage(SIMD2(Double(x) + 0.5, Double(y) + 0.5)), 0), 1))
        let place = (y - area.y) * area.width + x - area.x
        if value > values[place] { values[place] = value }
      }
    }
  }

  private static func length(_ vector: SIMD2<Double>) -> Double { (vector * vector).sum().squareRoot() }
}
