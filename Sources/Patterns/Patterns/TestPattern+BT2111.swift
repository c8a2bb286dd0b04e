internal import ColorScience
internal import Frames

extension TestPattern {
  static let bt2111HLG = bt2111(
    "bt2111-hlg", "Colour bars for HLG, limited range: 100 % and 75 % bars, stairs, ramp, BT.709 bars, PLUGE.",
    table: 1, .hlg, BT2111.hlg)
  static let bt2111PQ = bt2111(
    "bt2111-pq", "Colour bars for PQ, limited range: 100 % and 58 % bars, stairs, ramp, BT.709 bars, PLUGE.",
    table: 2, .hdr10, BT2111.pq)
  static let bt2111PQFull = bt2111(
    "bt2111-pq-full", "Colour bars for PQ, full range: 100 % and 58 % bars, stairs, ramp, BT.709 bars, PLUGE.",
    table: 3, .hdr10, BT2111.pqFull)

  private static func bt2111(
    _ name: String, _ summary: String, table: Int, _ kind: PatternSignal.Kind, _ bars: BT2111
  ) -> TestPattern {
    TestPattern(
      name, summary, source: "ITU-R BT.2111-2 (2020), table \(table)", kinds: [kind], ranges: [bars.range],
      minimumBitDepth: 10, draw: { canvas, _ in BT2111Drawing(bars, on: canvas).drawing })
  }
}

/// Draws the five rows of BT.2111 on a canvas.
private struct BT2111Drawing {
  let bars: BT2111
  let canvas: PatternCanvas
  var drawing: PatternDrawing

  init(_ bars: BT2111, on canvas: PatternCanvas) {
    self.bars = bars
    self.canvas = canvas
    drawing = PatternDrawing(canvas)
    drawBars("100%", white: bars.white, sides: "top", top: 0, bottom: 1 / 12.0)
    drawBars(bars.level, white: bars.main, sides: "middle", top: 1 / 12.0, bottom: 7 / 12.0)
    drawStairs(top: 7 / 12.0, bottom: 8 / 12.0)
    drawRamp(top: 8 / 12.0, bottom: 9 / 12.0)
    drawBottom(top: 9 / 12.0, bottom: 1)
  }

  private typealias Patch = (name: String, signal: SIMD3<Double>)

  private func gray(_ code: BT2111.Code) -> SIMD3<Double> { color(code, code, code) }

  private func color(_ red: BT2111.Code, _ green: BT2111.Code, _ blue: BT2111.Code) -> SIMD3<Double> {
    bars.signal(red, green, blue, bitDepth: canvas.signal.bitDepth)
  }

  /// Draws patches side by side.
  /// - Parameter widths: Widths in columns of a picture 1920 wide.
  private mutating func draw(_ patches: [Patch], group: String, widths: [Int], top: Double, bottom: Double) {
    var left = 0
    for (patch, width) in zip(patches, widths) {
      let area = canvas.area(Double(left) / 1920, top, Double(left + width) / 1920, bottom)
      drawing.patch(patch.name, group: group, area, patch.signal)
      left += width
    }
  }

  private mutating func drawBars(_ level: String, white: BT2111.Code, sides: String, top: Double, bottom: Double) {
    let black = bars.black
    let gray = gray(bars.gray)
    let patches: [Patch] = [
      ("40% grey \(sides) left", gray),
      ("\(level) white", color(white, white, white)), ("\(level) yellow", color(white, white, black)),
      ("\(level) cyan", color(black, white, white)), ("\(level) green", color(black, white, black)),
      ("\(level) magenta", color(white, black, white)), ("\(level) red", color(white, black, black)),
      ("\(level) blue", color(black, black, white)),
      ("40% grey \(sides) right", gray),
    ]
    draw(
      patches, group: "\(level) bars", widths: [240, 206, 206, 206, 204, 206, 206, 206, 240], top: top, bottom: bottom)
  }

  private var isNarrow: Bool { bars.range == .narrow }

  private mutating func drawStairs(top: Double, bottom: Double) {
    let names =
      [isNarrow ? "-7%" : "0% first"] + (0...10).map { "\($0 * 10)%" } + [isNarrow ? "109%" : "100% last"]
    let main = gray(bars.main)
    let steps = zip(names, bars.stairs).map { (name: "stairs \($0)", signal: gray($1)) }
    draw(
      [("stairs \(bars.level) white left", main)] + steps + [("stairs \(bars.level) white right", main)],
      group: "stairs", widths: [240, 206, 103, 103, 103, 103, 102, 102, 103, 103, 103, 103, 103, 103, 240], top: top,
      bottom: bottom)
  }

  private mutating func drawRamp(top: Double, bottom: Double) {
    let scale = SampleScale(bitDepth: max(canvas.signal.bitDepth, 10), range: bars.range)
    let ramp = BT2111.Ramp(width: canvas.size.width, scale: scale)
    @Sendable func signal(_ code: Int) -> SIMD3<Double> { SIMD3(repeating: scale.luma(fromCode: code)) }
    func area(_ columns: Range<Int>) -> PictureArea {
      let rows = canvas.area(0, top, 1, bottom)
      return PictureArea(x: columns.lowerBound, y: rows.y, width: columns.count, height: rows.height)
    }
    let (first, columns) = (canvas.area(0, top, 0.125, bottom), ramp.columns)
    drawing.patch("ramp 0%", group: "ramp", first, gray(bars.black))
    drawing.patch(
      isNarrow ? "ramp -7%" : "ramp 0% foot", group: "ramp", area(first.maxX..<columns.lowerBound),
      signal(scale.videoCodes.lowerBound))
    drawing.ramp("ramp", area(columns)) { signal(ramp.code(columns.lowerBound + $0)) }
    drawing.patch(
      isNarrow ? "ramp 109%" : "ramp 100%", group: "ramp", area(columns.upperBound..<canvas.size.width),
      signal(scale.videoCodes.upperBound))
  }

  private mutating func drawBottom(top: Double, bottom: Double) {
    let colors = bars.bars709.map { bar in
      (name: "BT.709 \(bar.name)", signal: color(bar.red, bar.green, bar.blue))
    }
    let pluge = zip(["-2%", "0% left", "+2%", "0% right", "+4%"], bars.pluge).map {
      (name: "PLUGE \($0)", signal: gray($1))
    }
    let black = gray(bars.black)
    let middle: [Patch] =
      [("PLUGE black left", black)] + pluge + [("PLUGE black right", black)]
      + [("\(bars.level) reference white", gray(bars.main)), ("black", black)]
    let widths = [80, 80, 80, 136, 70, 68, 70, 68, 70, 238, 438, 282, 80, 80, 80]
    draw(
      Array(colors[..<3]) + middle + Array(colors[3...]), group: "BT.709 bars and PLUGE", widths: widths, top: top,
      bottom: bottom)
  }
}
