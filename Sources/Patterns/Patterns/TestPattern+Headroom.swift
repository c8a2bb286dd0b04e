internal import ColorScience
internal import Frames

extension TestPattern {
  static let headroom = TestPattern(
    "headroom", "Steps of 0 to 1 and of 1 to N times SDR white: how much brighter than white a display gets.",
    source: "EDR headroom as operating systems define it: 1 is SDR white; reference white by ITU-R BT.2408-7, 2.1",
    kinds: [.hdr10, .hlg],
    parameters: [
      Parameter("white", "luminance of SDR white in cd/m²", in: 50...1000, default: 203),
      Parameter("headroom", "the last step in multiples of white, up to the signal's peak", in: 1...100, default: 8),
    ],
    draw: { canvas, _ in drawHeadroom(canvas) })

  private static func drawHeadroom(_ canvas: PatternCanvas) -> PatternDrawing {
    var sketch = PatternSketch(canvas)
    let white = canvas["white"]
    let headroom = min(canvas["headroom"], canvas.signal.peak / white)
    sketch.title("headroom", "1 = \(Figure(white)) cd/m²", "strip \(Figure(headroom))")
    let above = headroomSteps(to: headroom)
    sketch.headroomRow(
      (0...10).map { Double($0) / 10 }, white: white, group: "0 to 1",
      LayoutArea(0.02, 0.13, 0.98, above.isEmpty ? 0.92 : 0.42))
    guard !above.isEmpty else { return sketch.drawing }
    let row = LayoutArea(0.02, 0.62, 0.98, 0.92)
    sketch.headroomRow(above, white: white, group: "above 1", row)
    // Steps that are indistinguishable from this strip reach the peak of the display.
    sketch.patch(
      "limit", group: "above 1", LayoutArea(row.left, 0.51, row.right, 0.56), sketch.gray(headroom * white))
    return sketch.drawing
  }

  /// Returns at most sixteen values above 1, at round intervals, the last being the headroom.
  private static func headroomSteps(to headroom: Double) -> [Double] {
    guard headroom > 1.001 else { return [] }
    let distances = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10]
    let distance = distances.first { (headroom - 1) / $0 <= 15.999 } ?? 10
    let round = (1...16).map { 1 + Double($0) * distance }.filter { $0 < headroom - distance / 4 }
    return round + [headroom]
  }

  static let edr = TestPattern(
    "edr", "P3 and BT.709 bars at three luminances, and a gradient of luminance past 1000 cd/m² that shows clipping.",
    source: "The EDR pattern for reference displays: P3 primaries and secondaries (SMPTE EG 432-1) and a gradient",
    kinds: [.hdr10],
    parameters: [
      Parameter("white", "luminance of SDR white in cd/m²", in: 50...500, default: 203),
      Parameter("peak", "luminance at the end of the gradient in cd/m²", in: 1000...10_000, default: 2000),
    ],
    draw: { canvas, _ in EDRDrawing(canvas).drawing })

  static let window = TestPattern(
    "window", "A white window on a background: peak luminance and how it depends on the load.",
    source: "Windows of 1 to 100 % as used for measuring displays; ICDM IDMS, VESA DisplayHDR",
    parameters: [
      Parameter("percent", "the window's share of the area in %", in: 1...100, default: 10),
      Parameter("nits", "luminance of the window in cd/m², up to the signal's peak", in: 0...10_000, default: 1000),
      Parameter("background", "luminance around it in cd/m²", in: 0...10_000, default: 0),
    ],
    draw: { canvas, _ in drawWindow(canvas) })

  private static func drawWindow(_ canvas: PatternCanvas) -> PatternDrawing {
    let background = min(canvas["background"], canvas.signal.peak)
    var sketch = PatternSketch(canvas, background: background, ink: background > 5 ? 0 : 20)
    let percent = canvas["percent"]
    let nits = sketch.nits("nits")
    let margin = (1 - (percent / 100).squareRoot()) / 2
    if margin > 0 {
      sketch.title(
        "window", "\(Figure(percent)) %", "\(Figure(nits)) on \(Figure(background)) cd/m²",
        in: LayoutArea(0.008, min(0.012, margin * 0.2), 0.98, min(0.045, margin * 0.9)))
    }
    let window = LayoutArea(margin, margin, 1 - margin, 1 - margin)
    for (name, part) in [
      ("left", LayoutArea(margin * 0.2, 0.3, margin * 0.8, 0.7)),
      ("right", LayoutArea(1 - margin * 0.8, 0.3, 1 - margin * 0.2, 0.7)),
    ] where !canvas.area(part).isEmpty {
      sketch.patch("background \(name)", group: "background", part, sketch.gray(background))
    }
    sketch.patch("window", group: "window", window, sketch.gray(nits))
    return sketch.drawing
  }
}

extension PatternSketch {
  /// Draws steps, with their multiple of white above and their luminance below.
  fileprivate mutating func headroomRow(_ steps: [Double], white: Double, group: String, _ part: LayoutArea) {
    for (step, place) in zip(steps, part.columns(steps.count)) {
      patch("\(group): \(Figure(step))", group: group, place, gray(step * white))
      label("\(Figure(step))", LayoutArea(place.left, part.top - 0.04, place.right, part.top - 0.005))
      label("\(Figure(step * white))", LayoutArea(place.left, part.bottom + 0.005, place.right, part.bottom + 0.04))
    }
  }
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
