internal import ColorScience
internal import Frames

extension TestPattern {
  static let edr = TestPattern(
    "edr", "P3 and BT.709 bars at three luminances, and a gradient of luminance past 1000 cd/m² that shows clipping.",
    source: "The EDR pattern for reference displays: P3 primaries and secondaries (SMPTE EG 432-1) and a gradient",
    kinds: [.hdr10],
    parameters: [
      Parameter("white", "luminance of SDR white in cd/m²", in: 50...500, default: 203),
      Parameter("peak", "luminance at the end of the gradient in cd/m²", in: 1000...10_000, default: 2000),
    ],
    draw: { canvas, _ in EDRDrawing(canvas).drawing })
}

private struct EDRDrawing {
  private var sketch: PatternSketch
  var drawing: PatternDrawing { sketch.drawing }

  init(_ canvas: PatternCanvas) {
    sketch = PatternSketch(canvas)
    let (white, peak) = (canvas["white"], canvas["peak"])
    sketch.title("edr", "white \(Figure(white)), peak \(Figure(peak)) cd/m²")
    drawBars(LayoutArea(0.02, 0.11, 0.98, 0.58), levels: [1000, white, white / 4])
    drawGradient(LayoutArea(0.05, 0.65, 0.95, 0.8), peak: peak)
    drawSteps(LayoutArea(0.05, 0.86, 0.95, 0.95), peak: peak)
  }

  private static let colors: [(name: String, rgb: SIMD3<Double>)] = [
    ("white", [1, 1, 1]), ("yellow", [1, 1, 0]), ("cyan", [0, 1, 1]), ("green", [0, 1, 0]), ("magenta", [1, 0, 1]),
    ("red", [1, 0, 0]), ("blue", [0, 0, 1]),
  ]

  /// Draws every P3 colour with its BT.709 counterpart on the right, one row per luminance of white.
  private mutating func drawBars(_ part: LayoutArea, levels: [Double]) {
    let spaces: [(String, RGBSpace)] = [("P3", .displayP3), ("BT.709", .bt709)]
    let columns = part.part(0.05, 0, 1, 1).columns(Self.colors.count, gap: 0.06)
    for (level, row) in zip(levels, part.rows(levels.count, gap: 0.08)) {
      sketch.label("\(Figure(level))", LayoutArea(part.left, row.top, columns[0].left - 0.005, row.bottom).middle)
      for (color, column) in zip(Self.colors, columns) {
        let place = LayoutArea(column.left, row.top, column.right, row.bottom)
        for ((space, primaries), half) in zip(spaces, [place.part(0, 0, 0.6, 1), place.part(0.6, 0, 1, 1)]) {
          let nits = RGBSpace.conversion(from: primaries, to: sketch.signal.space) * (color.rgb * level)
          sketch.patch(
            "\(space) \(color.name) \(Figure(level))", group: "\(space) at \(Figure(level)) cd/m²", half,
            sketch.signal.signal(nits: nits))
        }
      }
    }
    for column in columns {
      let caption = LayoutArea(column.left, part.top - 0.035, column.right, part.top - 0.005)
      sketch.label("P3", caption.part(0, 0, 0.6, 1))
      sketch.label("709", caption.part(0.6, 0, 1, 1))
    }
  }

  /// Luminance is the square of the position: dark parts remain visible, and 1000 cd/m² is far from the end.
  private mutating func drawGradient(_ part: LayoutArea, peak: Double) {
    let signal = sketch.signal
    sketch.ramp("gradient", part) { signal.gray(nits: peak * $0 * $0) }
    let marks: [Double] = [0, 10, 50, 100, 203, 400, 600, 1000, 1500, 2000, 3000, 4000, 6000, 8000, 10_000]
    let shown = thinned(marks.filter { $0 <= peak }.map { (position: ($0 / peak).squareRoot(), nits: $0) })
    sketch.marks(shown.map { ($0.position, "\(Figure($0.nits))") }, below: part)
  }

  /// Returns marks far enough apart for labels; 1000 is always included.
  private func thinned(_ marks: [(position: Double, nits: Double)]) -> [(position: Double, nits: Double)] {
    marks.reduce(into: []) { shown, mark in
      while let last = shown.last, mark.position - last.position < 0.05, mark.nits == 1000 { shown.removeLast() }
      if let last = shown.last, mark.position - last.position < 0.05 { return }
      shown.append(mark)
    }
  }

  /// Draws steps on either side of 1000 cd/m²: steps that look like their neighbours are clipped.
  private mutating func drawSteps(_ part: LayoutArea, peak: Double) {
    let steps: [Double] = [
      0, 50, 100, 203, 400, 600, 800, 900, 1000, 1100, 1250, 1500, 1750, 2000, 3000, 4000, 6000, 8000, 10_000,
    ]
    let levels = steps.filter { $0 <= peak }
    for (level, place) in zip(levels, part.columns(levels.count)) {
      sketch.patch("step \(Figure(level))", group: "steps", place, sketch.gray(level))
      sketch.label("\(Figure(level))", LayoutArea(place.left, part.bottom + 0.005, place.right, part.bottom + 0.04))
    }
  }
}
