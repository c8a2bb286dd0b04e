internal import ColorScience
internal import Frames

extension TestPattern {
  static let pixelGrid = TestPattern(
    "pixel-grid",
    "One-pixel lines and dots, 2 to 8 pixels apart, a frame at the very edge, safe areas: scaling, overscan.",
    source: "Headroom; safe areas of 5 and 10 % as in SMPTE RP 27.3",
    parameters: [
      Parameter("nits", "luminance of lines in cd/m², up to the signal's peak", in: 1...10_000, default: 100)
    ],
    draw: { canvas, _ in PixelGridDrawing(canvas).drawing })
}

private struct PixelGridDrawing {
  private let canvas: PatternCanvas
  private let white: SIMD3<Double>
  private var sketch: PatternSketch
  var drawing: PatternDrawing { sketch.drawing }

  init(_ canvas: PatternCanvas) {
    self.canvas = canvas
    sketch = PatternSketch(canvas)
    white = sketch.gray(sketch.nits("nits"))
    // Distances below four points are in pixels: a picture of twice the scale has equally fine lines.
    let distances = [2, 3, max(canvas.pixels(4), 4), max(canvas.pixels(8), 8)]
    sketch.title(
      "pixel-grid", "\(Figure(sketch.nits("nits"))) cd/m²",
      "distances \(distances.map { "\($0)" }.joined(separator: ", ")) px",
      in: LayoutArea(0.055, 0.057, 0.94, 0.092))
    drawFrames()
    drawGrids(distances, LayoutArea(0.12, 0.12, 0.88, 0.78))
    sketch.references(LayoutArea(0.12, 0.8, 0.88, 0.85), nits: sketch.nits("nits"))
  }

  /// Draws one-pixel frames at the edge of the picture, and at 5 and 10 % of it.
  private mutating func drawFrames() {
    for inset in [0, 0.05, 0.1] {
      let area = canvas.area(inset, inset, 1 - inset, 1 - inset)
      let signal = inset == 0 ? white : white * 0.6
      for side in [
        PictureArea(x: area.x, y: area.y, width: area.width, height: 1),
        PictureArea(x: area.x, y: area.maxY - 1, width: area.width, height: 1),
        PictureArea(x: area.x, y: area.y, width: 1, height: area.height),
        PictureArea(x: area.maxX - 1, y: area.y, width: 1, height: area.height),
      ] {
        sketch.drawing.elements.append(.init(side, .flat(signal)))
      }
      guard inset > 0 else { continue }
      sketch.label("\(Figure(inset * 100))%", LayoutArea(0.44, 1 - inset - 0.035, 0.56, 1 - inset - 0.005))
    }
  }

  /// Draws rows of vertical lines, horizontal lines and dots, with a column for each distance.
  private mutating func drawGrids(_ distances: [Int], _ part: LayoutArea) {
    let white = white
    for (index, row) in part.rows(3, gap: 0.05).enumerated() {
      for (distance, place) in zip(distances, row.columns(4, gap: 0.05)) {
        let area = canvas.area(place)
        switch index {
        case 0:
          sketch.detail(
            "vertical lines, \(distance) px", .luma, area, .columns { $0 % distance == 0 ? white : .zero })
        case 1:
          sketch.detail(
            "horizontal lines, \(distance) px", .luma, area, .rows { $0 % distance == 0 ? white : .zero })
        default:
          sketch.detail(
            "dots, \(distance) px", .luma, area,
            .pixels { $0 % distance == 0 && $1 % distance == 0 ? white : .zero })
        }
      }
    }
  }
}
