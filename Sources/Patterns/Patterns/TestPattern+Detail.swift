internal import ColorScience
internal import Frames
internal import Glibc

extension TestPattern {
  static let pixelGrid = TestPattern(
    "pixel-grid",
    "One-pixel lines and dots, 2 to 8 pixels apart, a frame at the very edge, safe areas: scaling, overscan.",
    source: "Headroom; safe areas of 5 and 10 % as in SMPTE RP 27.3",
    parameters: [
      Parameter("nits", "luminance of lines in cd/m², up to the signal's peak", in: 1...10_000, default: 100)
    ],
    draw: { canvas, _ in PixelGridDrawing(canvas).drawing })

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

  static let chromaSiting = TestPattern(
    "chroma-siting", "Colour edges at constant luma, soft and sharp, and circles: where chroma samples lie.",
    source:
      "Headroom; positions of chroma by ITU-T H.273, chroma sample location types; luma is constant in the matrix of the signal",
    draw: { canvas, _ in ChromaSitingDrawing(canvas).drawing })
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

/// A circular wave whose frequency increases with the distance from the centre.
///
/// Source: a Fresnel zone plate: the phase is the square of the distance.
struct ZonePlate: Sendable {
  private let centerX: Double
  private let centerY: Double
  private let radius: Double
  private let highest: Double

  /// - Parameter highest: Frequency at the edge of the circle, in cycles per pixel; 0.5 is Nyquist.
  init(_ area: PictureArea, highest: Double) {
    centerX = Double(area.width - 1) / 2
    centerY = Double(area.height - 1) / 2
    radius = max(Double(min(area.width, area.height)) / 2, 1)
    self.highest = highest
  }

  /// Returns the wave, -1...1; 0 outside the circle.
  /// - Parameters: Relative to the area.
  func wave(_ x: Int, _ y: Int) -> Double {
    let (dx, dy) = (Double(x) - centerX, Double(y) - centerY)
    let square = dx * dx + dy * dy
    guard square <= radius * radius else { return 0 }
    return cos(.pi * highest / radius * square)
  }
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

/// Alternating blocks of -1 and 1, with sharp or raised-cosine edges.
struct BlockWave: Sendable {
  /// Block width in pixels.
  let half: Int
  /// Edge width in pixels; 0 is sharp.
  let edge: Double

  /// Returns the wave, -1...1.
  /// - Parameter position: Pixels from the middle of a rising edge.
  func value(_ position: Double) -> Double {
    let block = Double(half)
    let phase = position - 2 * block * (position / (2 * block)).rounded(.down)
    // Distance to the nearest edge, positive in blocks of 1.
    let distance = phase < block / 2 ? phase : phase < block * 1.5 ? block - phase : phase - 2 * block
    if distance >= edge / 2 { return 1 }
    return distance < -edge / 2 ? -1 : edge > 0 ? sin(.pi * distance / edge) : -1
  }
}
