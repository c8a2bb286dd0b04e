internal import ColorScience
internal import Frames
internal import Patterns

/// The expected appearance of a pattern, in the forms used for the search.
struct ReferencePattern: Sendable {
  let canvas: Size
  /// The downscaled pattern, largest first.
  let levels: [ClassedGrid]
  let edges: [PatternEdge]
  /// Areas that change from frame to frame.
  let moving: [PictureArea]

  /// Number of rows and columns that are searched for edges.
  private static let lines = 72

  init(_ pattern: TestPattern, on canvas: PatternCanvas, _ expectation: PatternExpectation) {
    self.canvas = canvas.size
    let drawing = pattern.drawing(on: canvas)
    var signal = InputSignal(expectation)
    let moving = pattern.isMoving ? Self.moving(in: pattern, on: canvas) : []
    self.moving = moving
    levels = ClassedGrid.pyramid(of: Self.grid(drawing, without: moving, &signal))
    var edges: [PatternEdge] = []
    func isStill(_ x: Double, _ y: Double) -> Bool { !moving.contains { $0.contains(x: Int(x), y: Int(y)) } }
    for index in 0..<Self.lines {
      let y = (2 * index + 1) * drawing.size.height / (2 * Self.lines)
      let row = drawing.row(y).map { signal($0) }
      edges += PatternEdge.edges(row, axis: 0, across: Double(y) + 0.5).filter { isStill($0.position, $0.across) }
      let x = (2 * index + 1) * drawing.size.width / (2 * Self.lines)
      let column = drawing.column(x).map { signal($0) }
      edges += PatternEdge.edges(column, axis: 1, across: Double(x) + 0.5).filter { isStill($0.across, $0.position) }
    }
    self.edges = edges
  }

  /// Paints a small picture from whole rows in the middle of each block.
  private static func grid(
    _ drawing: PatternDrawing, without moving: [PictureArea], _ signal: inout InputSignal
  ) -> SignalGrid {
    let painter = PatternPainter(drawing)
    var grid = SignalGrid(size: drawing.size, block: SignalGrid.block(of: drawing.size))
    var signals = [SIMD3<Double>](repeating: .zero, count: drawing.size.width)
    var sums = [SIMD3<Double>](repeating: .zero, count: grid.width)
    for y in 0..<grid.height {
      let top = y * grid.block, height = min(grid.block, drawing.size.height - top)
      let middle = top + (height - 1) / 2
      let rows = middle...min(middle + (height > 1 ? 1 : 0), drawing.size.height - 1)
      for x in 0..<grid.width { sums[x] = .zero }
      for row in rows {
        painter.paint(row: row, into: &signals)
        for x in 0..<grid.width {
          var sum = SIMD3<Double>.zero
          for column in x * grid.block..<min((x + 1) * grid.block, drawing.size.width) { sum += signals[column] }
          sums[x] += sum
        }
      }
      for x in 0..<grid.width {
        let width = min(grid.block, drawing.size.width - x * grid.block)
        let mean = signal(sums[x] / Double(rows.count * width))
        let block = PictureArea(x: x * grid.block, y: top, width: width, height: height)
        let isSeen =
          width == grid.block && height == grid.block && !moving.contains { !$0.intersection(block).isEmpty }
        grid.values[y * grid.width + x] = SIMD4(mean, isSeen ? 1 : 0)
      }
    }
    return grid
  }

  /// The areas that differ between frames.
  static func moving(in pattern: TestPattern, on canvas: PatternCanvas) -> [PictureArea] {
    let first = pattern.drawing(on: canvas)
    var areas = first.labels.map(\.area)
    if let code = first.frameCode { areas.append(code) }
    for frame in Array(1...64) + [1000, 123_457] {
      let drawing = pattern.drawing(on: canvas, frame: frame)
      areas += drawing.labels.map(\.area)
      for (index, element) in drawing.elements.enumerated() {
        guard index < first.elements.count else {
          areas.append(element.area)
          continue
        }
        let before = first.elements[index]
        if before.area != element.area || !isSame(before.content, element.content) {
          areas += [before.area, element.area]
        }
      }
    }
    return Array(Set(areas))
  }

  private static func isSame(_ a: PatternDrawing.Content, _ b: PatternDrawing.Content) -> Bool {
    if case .flat(let a) = a, case .flat(let b) = b { return a == b }
    return true
  }
}

/// R'G'B' of a pattern to Y'CbCr of the input.
struct InputSignal {
  private let map: @Sendable (SIMD3<Double>) -> SIMD3<Double>
  private let matrix: YCbCrMatrix
  private var last: (pattern: SIMD3<Double>, input: SIMD3<Float>)

  init(_ expectation: PatternExpectation) {
    map = expectation.map
    matrix = YCbCrMatrix(expectation.signal.matrix) ?? .bt2020
    last = (.zero, SIMD3<Float>(matrix.ycbcr(fromRGB: expectation.map(.zero))))
  }

  /// Neighbours are mostly equal and mappings slow, so the last result is cached.
  mutating func callAsFunction(_ rgb: SIMD3<Double>) -> SIMD3<Float> {
    if rgb == last.pattern { return last.input }
    last = (rgb, SIMD3<Float>(matrix.ycbcr(fromRGB: map(rgb))))
    return last.input
  }
}

extension PatternDrawing {
  /// The signals of a column, without writing.
  func column(_ x: Int) -> [SIMD3<Double>] {
    var signals = [SIMD3<Double>](repeating: background, count: size.height)
    for element in elements where x >= element.area.x && x < element.area.maxX {
      let area = element.area
      let rows = max(area.y, 0)..<max(min(area.maxY, size.height), max(area.y, 0))
      switch element.content {
      case .flat(let signal): for y in rows { signals[y] = signal }
      case .columns(let signal):
        let value = signal(x - area.x)
        for y in rows { signals[y] = value }
      case .rows(let signal): for y in rows { signals[y] = signal(y - area.y) }
      case .pixels(let signal): for y in rows { signals[y] = signal(x - area.x, y - area.y) }
      }
    }
    return signals
  }

  /// The signals of a row, without writing.
  func row(_ y: Int) -> [SIMD3<Double>] {
    var signals = [SIMD3<Double>](repeating: background, count: size.width)
    for element in elements where y >= element.area.y && y < element.area.maxY {
      let area = element.area
      let columns = max(area.x, 0)..<max(min(area.maxX, size.width), max(area.x, 0))
      switch element.content {
      case .flat(let signal): for x in columns { signals[x] = signal }
      case .columns(let signal): for x in columns { signals[x] = signal(x - area.x) }
      case .rows(let signal):
        let value = signal(y - area.y)
        for x in columns { signals[x] = value }
      case .pixels(let signal): for x in columns { signals[x] = signal(x - area.x, y - area.y) }
      }
    }
    return signals
  }
}
