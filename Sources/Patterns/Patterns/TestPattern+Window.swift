internal import ColorScience
internal import Frames

extension TestPattern {
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
