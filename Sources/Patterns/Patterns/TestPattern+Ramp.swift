internal import ColorScience
internal import Frames

extension TestPattern {
  static let ramp = TestPattern(
    "ramp", "Ramps of grey, red, green and blue over the whole signal, with cd/m² at every tenth.",
    source: "Headroom; luminances by ITU-R BT.2100-2, tables 4 and 5, and BT.1886-0",
    draw: { canvas, _ in drawRamp(canvas) })

  private static func drawRamp(_ canvas: PatternCanvas) -> PatternDrawing {
    var sketch = PatternSketch(canvas)
    sketch.title("ramp", "signal in %, cd/m² of grey")
    let body = LayoutArea.body
    let gray = body.part(0.05, 0.05, 0.95, 0.42)
    sketch.ramp("grey", gray) { SIMD3(repeating: $0) }
    let marks = (0...10).map { Double($0) / 10 }
    sketch.marks(marks.map { ($0, "\(Figure($0 * 100))%") }, above: gray)
    sketch.marks(marks.map { ($0, "\(Figure(sketch.nits(ofGray: $0)))") }, below: gray)
    let colors: [(String, SIMD3<Double>)] = [("red", [1, 0, 0]), ("green", [0, 1, 0]), ("blue", [0, 0, 1])]
    for ((name, color), row) in zip(colors, body.part(0.05, 0.5, 0.95, 0.88).rows(3, gap: 0.1)) {
      sketch.ramp(name, row) { $0 * color }
      sketch.label(name.prefix(1).uppercased(), LayoutArea(body.left, row.top, row.left - 0.005, row.bottom).middle)
    }
    sketch.references(body.part(0.05, 0.92, 0.95, 1), nits: sketch.referenceWhite)
    return sketch.drawing
  }
}
