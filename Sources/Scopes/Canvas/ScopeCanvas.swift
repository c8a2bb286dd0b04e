package import Frames
internal import Lettering

/// The background picture behind the traces. Blends in linear light and clips to the picture.
package struct ScopeCanvas {
  let size: Size
  let text: ScopeText
  /// sRGB code values: planes of green, blue and red, as in frames.
  private(set) var planes: [[UInt8]]

  var scale: Double { text.scale }
  /// Width of a one-point line in whole pixels.
  var hairline: Int { max(Int(scale.rounded()), 1) }

  package init(size: Size, text: ScopeText) {
    (self.size, self.text) = (size, text)
    planes = [ScopeStyle.ground.codes.y, ScopeStyle.ground.codes.z, ScopeStyle.ground.codes.x].map {
      Array(repeating: $0, count: size.width * size.height)
    }
  }

  package mutating func fill(_ area: PictureArea, _ color: ScopeColor, opacity: Double = 1) {
    let area = area.intersection(PictureArea(size))
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX { blend(x, y, color, coverage: opacity) }
    }
  }

  /// The drawing as a frame in `ScopePainter.format`.
  package var frame: CodedFrame {
    let format = ScopePainter.format(size)
    let frame = CodedFrame(size: size, layout: format.layout, color: format.color)
    Self.copy(planes, to: frame)
    return frame
  }

  /// Fills a frame with planes of its size.
  static func copy(_ planes: [[UInt8]], to frame: CodedFrame) {
    let width = frame.size.width
    for (index, plane) in planes.enumerated() {
      unsafe frame.withPlane(index) { target in
        unsafe plane.withUnsafeBytes { source in
          guard let source = source.baseAddress else { return }
          for y in 0..<frame.size.height {
            unsafe target.row(y).copyMemory(from: source + y * width, byteCount: width)
          }
        }
      }
    }
  }

  /// Blends a pixel inside the picture; coverage is 0...1.
  private mutating func blend(_ x: Int, _ y: Int, _ color: ScopeColor, coverage: Double) {
    guard coverage > 0 else { return }
    let place = y * size.width + x
    let codes = SIMD3(color.codes.y, color.codes.z, color.codes.x)
    for plane in 0..<3 {
      guard coverage < 1 else {
        planes[plane][place] = codes[plane]
        continue
      }
      let below = ScopeColor.lights[Int(planes[plane][place])]
      let light = below + (ScopeColor.lights[Int(codes[plane])] - below) * coverage
      planes[plane][place] = ScopeColor.code(light)
    }
  }

  /// Blends pixels with the coverage of `ink`.
  mutating func add(_ ink: ScopeInk, _ color: ScopeColor, opacity: Double = 1) {
    let area = ink.area.intersection(PictureArea(size))
    for y in area.y..<area.maxY {
      for x in area.x..<area.maxX { blend(x, y, color, coverage: Double(ink[x, y]) * opacity) }
    }
  }

  /// Alignment of a text relative to its position.
  package enum Alignment { case leading, centre, trailing }

  /// Draws a line of text with capitals vertically centred at `y`, aligned horizontally at `x`.
  package mutating func write(
    _ words: String, x: Double, y: Double, _ alignment: Alignment = .leading,
    points: Double = ScopeStyle.textHeight, color: ScopeColor = ScopeStyle.label
  ) {
    let line = text.line(words, points: points)
    let width = text.width(words, points: points)
    let left =
      switch alignment {
      case .leading: x
      case .centre: x - width / 2
      case .trailing: x - width
      }
    let (column, row) = (Int(left.rounded()), Int((y - text.middle(points: points)).rounded()))
    let columns = max(-column, 0)..<max(min(line.width, size.width - column), max(-column, 0))
    for y in max(-row, 0)..<max(min(line.height, size.height - row), max(-row, 0)) {
      for x in columns {
        blend(column + x, row + y, color, coverage: Double(line.values[y * line.width + x]) / 255)
      }
    }
  }

  /// Draws a line across `columns` in the whole pixels around `y`, the same pixels as a trace at this position.
  mutating func horizontal(
    at y: Double, _ columns: Range<Int>, _ color: ScopeColor, style: LineStyle = .solid, opacity: Double = 1
  ) {
    let top = Int((y - Double(hairline) / 2).rounded())
    for part in pieces(of: columns, style) {
      fill(PictureArea(x: part.lowerBound, y: top, width: part.count, height: hairline), color, opacity: opacity)
    }
  }

  /// Draws a line down `rows` in the whole pixels around `x`.
  mutating func vertical(
    at x: Double, _ rows: Range<Int>, _ color: ScopeColor, style: LineStyle = .solid, opacity: Double = 1
  ) {
    let left = Int((x - Double(hairline) / 2).rounded())
    for part in pieces(of: rows, style) {
      fill(PictureArea(x: left, y: part.lowerBound, width: hairline, height: part.count), color, opacity: opacity)
    }
  }

  /// Returns the dashes of a line.
  private func pieces(of range: Range<Int>, _ style: LineStyle) -> [Range<Int>] {
    guard let dash = style.dash else { return [range] }
    let (ink, gap) = (max(Int((dash.ink * scale).rounded()), 1), max(Int((dash.gap * scale).rounded()), 1))
    return stride(from: range.lowerBound, to: range.upperBound, by: ink + gap).map {
      $0..<min($0 + ink, range.upperBound)
    }
  }

  /// Draws the background of a plot, and a border outside it.
  mutating func frame(_ area: PictureArea) {
    fill(area.inset(-hairline, -hairline), ScopeStyle.border)
    fill(area, ScopeStyle.plot)
  }

  /// Draws an anti-aliased line through `points`.
  /// - Parameter width: Line width in points.
  mutating func path(
    _ points: [SIMD2<Double>], isClosed: Bool = false, width: Double = 1, _ color: ScopeColor,
    style: LineStyle = .solid, within area: PictureArea, opacity: Double = 1
  ) {
    var ink = ScopeInk(area: area.intersection(PictureArea(size)))
    let dash = style.dash.map { (ink: $0.ink * scale, gap: $0.gap * scale) }
    ink.add(path: isClosed ? points + points.prefix(1) : points, width: width * scale, dash: dash)
    add(ink, color, opacity: opacity)
  }

  /// Draws an anti-aliased ring. All dimensions are in pixels, except the line width.
  mutating func ring(
    _ centre: SIMD2<Double>, radius: Double, width: Double = 1, _ color: ScopeColor, within area: PictureArea
  ) {
    var ink = ScopeInk(area: area.intersection(PictureArea(size)))
    ink.add(ring: centre, radius: radius, width: width * scale)
    add(ink, color)
  }
}

/// Dash patterns, so that lines can be distinguished without colour.
enum LineStyle: Hashable {
  case solid, dashed, dotted

  /// Lengths of dashes and gaps in points.
  var dash: (ink: Double, gap: Double)? {
    switch self {
    case .solid: nil
    case .dashed: (6, 4)
    case .dotted: (1.5, 3)
    }
  }
}

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
