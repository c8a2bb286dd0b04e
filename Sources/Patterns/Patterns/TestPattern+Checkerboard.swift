internal import ColorScience
internal import Frames

extension TestPattern {
  static let checkerboard = TestPattern(
    "checkerboard", "Black and white fields: contrast within a picture, glare, backlight zones.",
    source: "Checkerboard contrast after ANSI IT7.228; the middle of each field is measured",
    parameters: [
      Parameter("columns", "fields from left to right", in: 1...32, default: 8, isCount: true),
      Parameter("rows", "fields from top to bottom", in: 1...32, default: 5, isCount: true),
      Parameter("nits", "luminance of white in cd/m², up to the signal's peak", in: 0...10_000, default: 203),
    ],
    draw: { canvas, _ in drawCheckerboard(canvas) })

  private static func drawCheckerboard(_ canvas: PatternCanvas) -> PatternDrawing {
    var sketch = PatternSketch(canvas, ink: 20)
    let nits = sketch.nits("nits")
    let white = sketch.gray(nits)
    let (columns, rows) = (Int(canvas["columns"]), Int(canvas["rows"]))
    let board = LayoutArea(0, 0, 1, 1)
    for (y, row) in board.rows(rows).enumerated() {
      for (x, field) in row.columns(columns).enumerated() {
        let isWhite = (x + y) % 2 == 1
        if isWhite { sketch.fill(field, white) }
        let area = canvas.area(field)
        let middle = area.inset((area.width - 1) / 4, (area.height - 1) / 4)
        sketch.drawing.patch(
          "column \(x + 1) row \(y + 1)", group: isWhite ? "white" : "black", middle, isWhite ? white : .zero)
      }
    }
    // The first field is black and has space above its middle, if it is large enough.
    let corner = board.rows(rows)[0].columns(columns)[0]
    guard min(canvas.area(corner).width, canvas.area(corner).height) > 16 else { return sketch.drawing }
    sketch.mark(corner.part(0.04, 0.04, 0.1, 0.2))
    sketch.label("checkerboard \(columns) x \(rows)", corner.part(0.13, 0.03, 0.96, 0.13), .leading)
    sketch.label("\(Figure(nits)) cd/m²  \(canvas.size)", corner.part(0.13, 0.13, 0.96, 0.23), .leading)
    return sketch.drawing
  }
}
