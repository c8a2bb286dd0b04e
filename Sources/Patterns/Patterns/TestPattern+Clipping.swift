internal import ColorScience
internal import Frames

extension TestPattern {
  static let clipping = TestPattern(
    "clipping", "Steps of 100 to 10,000 cd/m² in white and in red, green and blue alone: where a display clips.",
    source: "Peak clipping steps as used for setting up HDR displays; colours are the BT.2020 components of the signal",
    kinds: [.hdr10],
    draw: { canvas, _ in drawClipping(canvas) })

  /// Levels of white in cd/m²; a single component has the same signal as white.
  private static let levels: [Double] = [
    100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1200, 1500, 2000, 3000, 4000, 6000, 8000, 10_000,
  ]

  private static func drawClipping(_ canvas: PatternCanvas) -> PatternDrawing {
    var sketch = PatternSketch(canvas)
    sketch.title("clipping", "cd/m² of R = G = B", "strips are 10000")
    let colors: [(String, SIMD3<Double>)] = [
      ("white", [1, 1, 1]), ("red", [1, 0, 0]), ("green", [0, 1, 0]), ("blue", [0, 0, 1]),
    ]
    let body = LayoutArea(0.05, 0.12, 0.99, 0.985)
    for ((name, color), row) in zip(colors, body.rows(colors.count, gap: 0.12)) {
      sketch.label(name.prefix(1).uppercased(), LayoutArea(0.005, row.top, 0.045, row.bottom).middle)
      // A step that is indistinguishable from the strip above it is clipped.
      sketch.fill(row.part(0, 0, 1, 0.12), sketch.gray(10_000) * color)
      for (level, place) in zip(levels, row.part(0, 0.12, 1, 1).columns(levels.count)) {
        sketch.patch("\(name) \(Figure(level))", group: name, place, sketch.gray(level) * color)
      }
    }
    for (level, place) in zip(levels, body.columns(levels.count)) {
      sketch.label("\(Figure(level))", LayoutArea(place.left, 0.08, place.right, 0.115))
    }
    return sketch.drawing
  }
}
