internal import Frames

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

extension ScopeCanvas {
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
