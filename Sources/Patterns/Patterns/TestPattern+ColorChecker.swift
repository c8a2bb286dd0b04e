internal import ColorScience
internal import Frames

extension TestPattern {
  static let colorChecker = TestPattern(
    "colorchecker",
    "The 24 patches of the ColorChecker Classic in absolute cd/m²; BT.709 clips cyan, which is outside its gamut.",
    source: "X-Rite's values for charts made after November 2014, CIE D50, adapted to D65 by Bradford's transform",
    parameters: [
      Parameter(
        "white", "luminance of the white patch in cd/m², as far as the signal allows", in: 1...1000, default: 100)
    ],
    draw: { canvas, _ in drawColorChecker(canvas) })

  private static func drawColorChecker(_ canvas: PatternCanvas) -> PatternDrawing {
    var sketch = PatternSketch(canvas)
    // A component of the white patch exceeds its luminance, because it is not exactly D65.
    let brightest = ColorCheckerPatch.white.linear(in: canvas.signal.space).max() / ColorCheckerPatch.white.luminance
    let white = min(canvas["white"], canvas.signal.peak / brightest)
    sketch.title("colorchecker", "white \(Figure(white)) cd/m²")
    let scale = white / ColorCheckerPatch.white.luminance
    let rows = LayoutArea.body.rows(4)
    for (index, patch) in ColorCheckerPatch.all.enumerated() {
      let place = rows[index / 6].columns(6)[index % 6]
      let nits = patch.linear(in: canvas.signal.space) * scale
      let signal = canvas.signal.signal(nits: nits)
      sketch.patch(patch.name, group: index < 18 ? "colours" : "greys", place.part(0.04, 0.02, 0.96, 0.82), signal)
      let isClipped = nits.min() < 0 || signal.max() > 1.000001
      sketch.label(
        "\(index + 1) \(patch.name)\(isClipped ? " (clipped)" : "")  \(Figure(patch.luminance * scale))",
        place.part(0.04, 0.84, 0.96, 0.98))
    }
    return sketch.drawing
  }
}
