internal import ColorScience
internal import Frames

extension TestPattern {
  static let chromaSiting = TestPattern(
    "chroma-siting", "Colour edges at constant luma, soft and sharp, and circles: where chroma samples lie.",
    source:
      "Headroom; positions of chroma by ITU-T H.273, chroma sample location types; luma is constant in the matrix of the signal",
    draw: { canvas, _ in ChromaSitingDrawing(canvas).drawing })
}

private struct ChromaSitingDrawing {
  private let canvas: PatternCanvas
  private let colors: ConstantLuma
  private var sketch: PatternSketch
  var drawing: PatternDrawing { sketch.drawing }

  private enum Direction: String, CaseIterable {
    case vertical, horizontal, diagonal
  }

  init(_ canvas: PatternCanvas) {
    self.canvas = canvas
    colors = ConstantLuma(luma: 0.4, canvas.signal)
    sketch = PatternSketch(canvas)
    sketch.title("chroma-siting", "Y' \(Figure(colors.luma * 100)) % everywhere but in the references")
    let isWide = canvas.size.width >= canvas.size.height
    let body = LayoutArea(0.02, 0.11, 0.98, 0.83)
    drawEdges(isWide ? body.part(0, 0, 0.68, 1) : body.part(0, 0, 1, 0.66))
    drawCircles(
      isWide ? body.part(0.7, 0, 1, 1).rows(2, gap: 0.06) : body.part(0, 0.68, 1, 1).columns(2, gap: 0.06))
    drawBlocks(LayoutArea(0.02, 0.85, 0.98, 0.91))
    sketch.references(LayoutArea(0.02, 0.925, 0.98, 0.985), nits: sketch.referenceWhite)
  }

  /// Rows of vertical, horizontal and diagonal edges; columns of soft and sharp ones in Cb and Cr.
  private mutating func drawEdges(_ part: LayoutArea) {
    let columns = [
      ("soft Cb", true, true), ("soft Cr", true, false), ("sharp Cb", false, true), ("sharp Cr", false, false),
    ]
    for (direction, row) in zip(Direction.allCases, part.rows(3, gap: 0.04)) {
      for ((name, isSoft, isBlue), place) in zip(columns, row.columns(4, gap: 0.04)) {
        drawWave("\(direction.rawValue) \(name)", direction, isSoft: isSoft, isBlue: isBlue, place)
        guard direction == .vertical else { continue }
        sketch.label(name, LayoutArea(place.left, row.top - 0.035, place.right, row.top - 0.005))
      }
    }
  }

  private mutating func drawWave(
    _ name: String, _ direction: Direction, isSoft: Bool, isBlue: Bool, _ place: LayoutArea
  ) {
    let area = canvas.area(place)
    // Odd, so that edges lie both between and beside the two columns of a chroma sample.
    let wave = BlockWave(half: canvas.pixels(17) | 1, edge: isSoft ? Double(canvas.pixels(8)) : 0)
    let (middleX, middleY) = (Double(area.width) / 2, Double(area.height) / 2)
    let colors = colors
    let content: PatternDrawing.Content =
      switch direction {
      case .vertical: .columns { colors.signal(wave.value(Double($0) + 0.5 - middleX), isBlue: isBlue) }
      case .horizontal: .rows { colors.signal(wave.value(Double($0) + 0.5 - middleY), isBlue: isBlue) }
      case .diagonal:
        .pixels { x, y in
          let position = (Double(x) + 0.5 - middleX + Double(y) + 0.5 - middleY) * 0.5.squareRoot()
          return colors.signal(wave.value(position), isBlue: isBlue)
        }
      }
    sketch.detail(name, .chroma, area, content)
  }

  /// Draws circles up to half of the 4:2:0 Nyquist limit in the middle, and up to the limit at the edge.
  private mutating func drawCircles(_ places: [LayoutArea]) {
    let colors = colors
    for (name, place) in zip(["Cb", "Cr"], places) {
      let area = canvas.area(place)
      let plate = ZonePlate(area, highest: 0.25)
      sketch.detail(
        "circles \(name)", .chroma, area, .pixels { colors.signal(plate.wave($0, $1), isBlue: name == "Cb") })
    }
  }

  private mutating func drawBlocks(_ part: LayoutArea) {
    let blocks: [(String, Double, Double)] = [
      ("Cb+", 1, 0), ("Cb-", -1, 0), ("Cr+", 0, 1), ("Cr-", 0, -1), ("neutral", 0, 0),
    ]
    for ((name, blue, red), place) in zip(blocks, part.columns(blocks.count)) {
      sketch.patch("block \(name)", group: "blocks", place, colors.signal(blue: blue, red: red))
    }
  }
}
