internal import ColorScience
internal import Frames

extension TestPattern {
  static let zonePlate = TestPattern(
    "zone-plate",
    "Circles of luma, Cb and Cr, up to half a wave per pixel at their edges: scalers, filters, subsampling.",
    source: "Circular zone plates: frequency grows with the distance from the middle",
    parameters: [
      Parameter("nits", "luminance of white in cd/m², up to the signal's peak", in: 1...10_000, default: 100)
    ],
    draw: { canvas, _ in drawZonePlates(canvas) })

  private static func drawZonePlates(_ canvas: PatternCanvas) -> PatternDrawing {
    var sketch = PatternSketch(canvas)
    let nits = sketch.nits("nits")
    sketch.title("zone-plate", "white \(Figure(nits)) cd/m²", "edge 0.5 waves a pixel; 4:2:0 keeps 0.25 of Cb, Cr")
    let half = sketch.gray(nits).x / 2
    let isWide = canvas.size.width >= canvas.size.height
    let body = LayoutArea(0.02, 0.07, 0.98, 0.88)
    let large = canvas.area(isWide ? body.part(0, 0, 0.66, 1) : body.part(0, 0, 1, 0.64))
    let luma = ZonePlate(large, highest: 0.5)
    sketch.detail("luma", .luma, large, .pixels { SIMD3(repeating: half + half * luma.wave($0, $1)) })
    let colors = ConstantLuma(luma: half, canvas.signal)
    let rest = isWide ? body.part(0.68, 0, 1, 1).rows(2, gap: 0.06) : body.part(0, 0.66, 1, 1).columns(2, gap: 0.06)
    for (name, part) in zip(["Cb", "Cr"], rest) {
      let area = canvas.area(part)
      let plate = ZonePlate(area, highest: 0.5)
      sketch.detail(
        name, .chroma, area, .pixels { colors.signal(plate.wave($0, $1), isBlue: name == "Cb") })
    }
    sketch.references(LayoutArea(0.02, 0.91, 0.98, 0.985), nits: nits)
    return sketch.drawing
  }
}
