internal import ColorScience
internal import Frames

/// One of the three colour bar signals of BT.2111, as published code values.
///
/// Source: ITU-R BT.2111-2 (2020), tables 1 to 3.
struct BT2111: Sendable {
  /// A published code value, at both published bit depths.
  struct Code: Sendable {
    let ten: Int
    let twelve: Int

    init(_ ten: Int, _ twelve: Int) { (self.ten, self.twelve) = (ten, twelve) }

    /// Narrow range: four twelve-bit codes per ten-bit code.
    init(_ ten: Int) { self.init(ten, ten * 4) }
  }

  /// R', G' and B' of a bar.
  struct Bar: Sendable {
    let name: String
    let red: Code
    let green: Code
    let blue: Code
  }

  let range: VideoRange
  /// The name of the large bars: "75%".
  let level: String
  let black: Code
  let white: Code
  let gray: Code
  /// White of the large bars.
  let main: Code
  /// -7 % or 0 %, 0 to 100 %, 109 % or 100 %.
  let stairs: [Code]
  /// -2, 0, +2, 0, +4 %.
  let pluge: [Code]
  /// The bars of the main white in BT.709 primaries: yellow, cyan, green, magenta, red, blue.
  let bars709: [Bar]

  /// Returns R', G', B' at a bit depth; depths other than ten and twelve use the twelve-bit codes.
  func signal(_ red: Code, _ green: Code, _ blue: Code, bitDepth: Int) -> SIMD3<Double> {
    let scale = SampleScale(bitDepth: bitDepth == 10 ? 10 : 12, range: range)
    func signal(_ code: Code) -> Double { scale.luma(fromCode: bitDepth == 10 ? code.ten : code.twelve) }
    return SIMD3(signal(red), signal(green), signal(blue))
  }

  static let hlg = narrow(
    level: "75%", main: 721,
    bars709: [
      ("yellow", 713, 719, 316), ("cyan", 538, 709, 718), ("green", 512, 706, 296), ("magenta", 651, 286, 705),
      ("red", 639, 269, 164), ("blue", 227, 147, 702),
    ])

  static let pq = narrow(
    level: "58%", main: 572,
    bars709: [
      ("yellow", 568, 571, 381), ("cyan", 484, 566, 571), ("green", 474, 564, 368), ("magenta", 536, 361, 564),
      ("red", 530, 350, 256), ("blue", 317, 236, 562),
    ])

  private static func narrow(level: String, main: Int, bars709: [(String, Int, Int, Int)]) -> BT2111 {
    BT2111(
      range: .narrow, level: level, black: Code(64), white: Code(940), gray: Code(414), main: Code(main),
      stairs: [4, 64, 152, 239, 327, 414, 502, 590, 677, 765, 852, 940, 1019].map { Code($0) },
      pluge: [48, 64, 80, 64, 99].map { Code($0) },
      bars709: bars709.map { Bar(name: $0, red: Code($1), green: Code($2), blue: Code($3)) })
  }

  static let pqFull = BT2111(
    range: .full, level: "58%", black: Code(0), white: Code(1023, 4095), gray: Code(409, 1638),
    main: Code(593, 2375),
    stairs: [
      Code(0), Code(0), Code(102, 410), Code(205, 819), Code(307, 1229), Code(409, 1638), Code(512, 2048),
      Code(614, 2457), Code(716, 2867), Code(818, 3276), Code(921, 3686), Code(1023, 4095), Code(1023, 4095),
    ],
    pluge: [Code(0), Code(0), Code(20, 82), Code(0), Code(41, 164)],
    bars709: [
      Bar(name: "yellow", red: Code(589, 2356), green: Code(592, 2370), blue: Code(370, 1480)),
      Bar(name: "cyan", red: Code(491, 1964), green: Code(586, 2345), blue: Code(592, 2368)),
      Bar(name: "green", red: Code(478, 1915), green: Code(584, 2339), blue: Code(355, 1420)),
      Bar(name: "magenta", red: Code(551, 2206), green: Code(347, 1389), blue: Code(584, 2336)),
      Bar(name: "red", red: Code(544, 2178), green: Code(334, 1337), blue: Code(225, 900)),
      Bar(name: "blue", red: Code(296, 1184), green: Code(201, 805), blue: Code(582, 2328)),
    ])

  /// The ramp of the fourth row: one ten-bit code per column of a 1920-column picture.
  ///
  /// The widths of all published tables (10 and 12 bit; HD, UHD and 8K) follow from one line: the code at column x is
  /// 1920 x / width - 794 (full range: 790) ten-bit steps, rounded down to a whole code of the depth. The ramp begins
  /// with the first code above the lowest, and ends before the highest.
  /// Source: ITU-R BT.2111-2 (2020), table 4.
  struct Ramp: Sendable {
    let width: Int
    let scale: SampleScale

    /// HD columns before the column with code 0.
    private var origin: Int { scale.range == .narrow ? 794 : 790 }
    /// Codes per ten-bit step.
    private var step: Int { 1 << (scale.bitDepth - 10) }

    /// Returns the code at a column of the picture.
    func code(_ column: Int) -> Int {
      let codes = (1920 * column - origin * width) * step
      let code = codes >= 0 ? codes / width : -1
      return min(max(code, scale.videoCodes.lowerBound), scale.videoCodes.upperBound)
    }

    /// The columns between the lowest and the highest code.
    var columns: Range<Int> {
      column(of: scale.videoCodes.lowerBound + 1)..<column(of: scale.videoCodes.upperBound)
    }

    /// Returns the first column with this code or a higher one.
    private func column(of code: Int) -> Int {
      let (dividend, divisor) = ((code + origin * step) * width, 1920 * step)
      return (dividend + divisor - 1) / divisor
    }
  }
}

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
