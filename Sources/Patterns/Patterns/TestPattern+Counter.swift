internal import ColorScience
internal import Frames
internal import Glibc

extension TestPattern {
  static let counter = TestPattern(
    "counter", "Frame number in digits and machine-readable cells, a flashing field, and marks that move each frame.",
    source: "Headroom; the cells are a 24-bit number and its CRC-8",
    parameters: [
      Parameter("start", "number of the first frame", in: 0...Double(FrameCode.modulus - 1), default: 0, isCount: true)
    ],
    isMoving: true,
    draw: { canvas, frame in
      CounterDrawing(canvas, number: (Int(canvas["start"]) + max(frame, 0)) % FrameCode.modulus).drawing
    })
}

private struct CounterDrawing {
  /// Period of the marks in frames.
  private static let steps = 60

  private let number: Int
  private var sketch: PatternSketch
  private let white: SIMD3<Double>
  private let dim: SIMD3<Double>

  var drawing: PatternDrawing { sketch.drawing }

  init(_ canvas: PatternCanvas, number: Int) {
    self.number = number
    sketch = PatternSketch(canvas)
    white = sketch.gray(sketch.referenceWhite)
    dim = sketch.gray(sketch.referenceWhite / 20)
    sketch.title("counter", "\(Self.steps) steps a turn")
    let body = LayoutArea.body
    // Always six digits, so that position and size do not change.
    let digits = String(repeating: "0", count: max(6 - "\(number)".count, 0)) + "\(number)"
    sketch.drawing.labels.append(.init(digits, area: canvas.area(body.part(0, 0, 0.48, 0.36)), signal: white))
    drawCode(body.part(0.53, 0, 1, 0.5))
    // The field is black in even frames and white in odd ones.
    sketch.drawing.mark(
      "flash field", canvas.area(body.part(0, 0.4, 0.2, 0.7)), (white, else: .zero), isFirst: number % 2 == 1)
    sketch.label("odd frames flash", body.part(0, 0.705, 0.2, 0.74))
    drawDial(body.part(0.22, 0.38, 0.5, 0.74))
    drawBar(body.part(0, 0.77, 1, 0.86))
    sketch.references(body.part(0, 0.93, 1, 1), nits: sketch.referenceWhite)
  }

  private mutating func drawCode(_ part: LayoutArea) {
    var area = sketch.canvas.area(part)
    area.width -= area.width % FrameCode.columns
    area.height -= area.height % FrameCode.rows
    // A border that makes black cells visible.
    let frame = max(area.width / 160, 1)
    sketch.drawing.elements.append(.init(area.inset(-2 * frame, -2 * frame), .flat(dim)))
    sketch.drawing.elements.append(.init(area.inset(-frame, -frame), .flat(.zero)))
    let cell = Size(width: area.width / FrameCode.columns, height: area.height / FrameCode.rows)
    for (index, isWhite) in FrameCode.cells(number).enumerated() {
      let place = PictureArea(
        x: area.x + index % FrameCode.columns * cell.width, y: area.y + index / FrameCode.columns * cell.height,
        width: cell.width, height: cell.height)
      sketch.drawing.elements.append(.init(place, .flat(isWhite ? white : .zero)))
    }
    sketch.drawing.frameCode = area
  }

  /// Draws marks on a circle; the current frame's mark is bright.
  private mutating func drawDial(_ part: LayoutArea) {
    let area = sketch.canvas.area(part)
    let radius = Double(min(area.width, area.height)) * 0.45
    let side = max(Int(radius / 12), 1)
    for step in 0..<Self.steps {
      let angle = 2 * Double.pi * Double(step) / Double(Self.steps)
      let x = area.x + area.width / 2 + Int((radius * sin(angle)).rounded()) - side / 2
      let y = area.y + area.height / 2 - Int((radius * cos(angle)).rounded()) - side / 2
      let mark = PictureArea(x: x, y: y, width: side, height: side)
      sketch.drawing.mark("dial \(step)", mark, (white, else: dim), isFirst: step == number % Self.steps)
    }
  }

  /// A bar that moves from left to right by one step per frame, over marks at every tenth.
  private mutating func drawBar(_ part: LayoutArea) {
    let places = part.columns(Self.steps)
    for (step, place) in places.enumerated() {
      sketch.drawing.mark(
        "bar \(step)", sketch.canvas.area(place), (white, else: dim), isFirst: step == number % Self.steps)
    }
    for step in stride(from: 0, to: Self.steps, by: 10) {
      var caption = places[step]
      (caption.top, caption.bottom) = (part.bottom + 0.005, part.bottom + 0.045)
      caption.right += 0.03
      sketch.label("\(step)", caption, .leading)
    }
  }
}

/// A machine-readable frame number as black and white cells, with a checksum.
///
/// Eight columns by four rows: 24 bits of the number, most significant first, row by row, then eight bits of a CRC.
public enum FrameCode {
  /// Cells in a row.
  public static let columns = 8
  /// Rows of cells.
  public static let rows = 4
  /// Numbers wrap around at this value.
  public static let modulus = 1 << 24

  /// Which cells are white, row by row.
  public static func cells(_ number: Int) -> [Bool] {
    let number = ((number % modulus) + modulus) % modulus
    let word = number << 8 | Int(check(number))
    return (0..<columns * rows).map { word >> (columns * rows - 1 - $0) & 1 == 1 }
  }

  /// Decodes the number from cells; nil if the checksum is wrong.
  /// - Parameter cells: `columns * rows` cells, row by row.
  public static func number(_ cells: [Bool]) -> Int? {
    guard cells.count == columns * rows else { return nil }
    let word = cells.reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    let number = word >> 8
    return check(number) == UInt8(word & 0xFF) ? number : nil
  }

  /// CRC of the three bytes, which is non-zero for 0, so that an all-black code is invalid.
  /// Source: CRC-8/ROHC, polynomial x^8 + x^2 + x + 1, initial value 0xFF.
  private static func check(_ number: Int) -> UInt8 {
    var sum: UInt8 = 0xFF
    for shift in [16, 8, 0] {
      sum ^= UInt8(number >> shift & 0xFF)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xE0 : sum >> 1 }
    }
    return sum
  }
}
