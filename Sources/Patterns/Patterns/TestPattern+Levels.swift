internal import ColorScience
internal import Frames

extension TestPattern {
  static let ramp = TestPattern(
    "ramp", "Ramps of grey, red, green and blue over the whole signal, with cd/m² at every tenth.",
    source: "Headroom; luminances by ITU-R BT.2100-2, tables 4 and 5, and BT.1886-0",
    draw: { canvas, _ in drawRamp(canvas) })

  private static func drawRamp(_ canvas: PatternCanvas) -> PatternDrawing {
    var sketch = PatternSketch(canvas)
    sketch.title("ramp", "signal in %, cd/m² of grey")
    let body = LayoutArea.body
    let gray = body.part(0.05, 0.05, 0.95, 0.42)
    sketch.ramp("grey", gray) { SIMD3(repeating: $0) }
    let marks = (0...10).map { Double($0) / 10 }
    sketch.marks(marks.map { ($0, "\(Figure($0 * 100))%") }, above: gray)
    sketch.marks(marks.map { ($0, "\(Figure(sketch.nits(ofGray: $0)))") }, below: gray)
    let colors: [(String, SIMD3<Double>)] = [("red", [1, 0, 0]), ("green", [0, 1, 0]), ("blue", [0, 0, 1])]
    for ((name, color), row) in zip(colors, body.part(0.05, 0.5, 0.95, 0.88).rows(3, gap: 0.1)) {
      sketch.ramp(name, row) { $0 * color }
      sketch.label(name.prefix(1).uppercased(), LayoutArea(body.left, row.top, row.left - 0.005, row.bottom).middle)
    }
    sketch.references(body.part(0.05, 0.92, 0.95, 1), nits: sketch.referenceWhite)
    return sketch.drawing
  }

  static let steps = TestPattern(
    "steps", "Grey steps of equal signal with their cd/m²; in limited range also below black and above white.",
    source: "Headroom; luminances by ITU-R BT.2100-2, tables 4 and 5, and BT.1886-0",
    parameters: [Parameter("count", "steps from 0 to 100 %", in: 2...51, default: 21, isCount: true)],
    draw: { canvas, _ in drawSteps(canvas) })

  private static func drawSteps(_ canvas: PatternCanvas) -> PatternDrawing {
    var sketch = PatternSketch(canvas)
    sketch.title("steps", "signal in %, cd/m²")
    let isNarrow = canvas.signal.range == .narrow
    let stairs = LayoutArea(0, 0.11, 1, isNarrow ? 0.7 : 0.93)
    let count = Int(canvas["count"])
    let places = stairs.columns(count)
    // With many steps, a caption takes the width of several.
    let every = (count + 25) / 26
    for (index, place) in places.enumerated() {
      let level = Double(index) / Double(count - 1)
      let name = "\(Figure(level * 100))%"
      sketch.patch(name, group: "steps", place, SIMD3(repeating: level))
      guard index % every == 0 else { continue }
      let right = places[min(index + every, count) - 1].right
      sketch.label(name, LayoutArea(place.left, 0.07, right, 0.105))
      sketch.label(
        "\(Figure(sketch.nits(ofGray: level)))",
        LayoutArea(place.left, stairs.bottom + 0.005, right, stairs.bottom + 0.04))
    }
    if isNarrow { sketch.overRange(LayoutArea(0, 0.78, 1, 0.93)) }
    return sketch.drawing
  }

  static let banding = TestPattern(
    "banding",
    "Shallow ramps in ten-bit steps above the same in eight-bit steps: an eight-bit chain shows both alike.",
    source: "Headroom; code values by ITU-R BT.2100-2, table 9",
    minimumBitDepth: 10,
    draw: { canvas, _ in drawBanding(canvas) })

  private static func drawBanding(_ canvas: PatternCanvas) -> PatternDrawing {
    var sketch = PatternSketch(canvas)
    sketch.title("banding", "ten-bit codes", "upper half 10 bit, lower half 8 bit")
    let ramps: [(String, SIMD3<Double>, first: Int)] = [
      ("grey", [1, 1, 1], 64), ("grey", [1, 1, 1], 192), ("grey", [1, 1, 1], 384), ("grey", [1, 1, 1], 576),
      ("red", [1, 0, 0], 384), ("green", [0, 1, 0], 384), ("blue", [0, 0, 1], 384),
    ]
    let body = LayoutArea(0, 0.07, 1, 0.93)
    for ((name, color, first), row) in zip(ramps, body.rows(ramps.count, gap: 0.12)) {
      let steps = BandingSteps(first: first, range: canvas.signal.range, color: color)
      let text = "\(first) to \(first + BandingSteps.count - 1)"
      sketch.label(name, row.part(0.01, 0, 0.11, 0.45).middle)
      sketch.label(text, row.part(0.01, 0.5, 0.11, 0.95).middle)
      sketch.ramp("\(name) \(text), 10 bit", row.part(0.12, 0, 1, 0.5)) { steps.signal($0, isCoarse: false) }
      sketch.ramp("\(name) \(text), 8 bit", row.part(0.12, 0.5, 1, 1)) { steps.signal($0, isCoarse: true) }
    }
    sketch.references(LayoutArea(0.12, 0.945, 1, 0.99), nits: sketch.referenceWhite)
    return sketch.drawing
  }

  static let pluge = TestPattern(
    "pluge", "Near-black bars and lines for setting black level, with steps in % and in cd/m² from 0.005 up.",
    source: "ITU-R BT.814-4 (2018) for bars, lines and the reference white; the steps are Headroom's",
    draw: { canvas, _ in PLUGEDrawing(canvas).drawing })

  static let clipping = TestPattern(
    "clipping", "Steps of 100 to 10,000 cd/m² in white and in red, green and blue alone: where a display clips.",
    source: "Peak clipping steps as used for setting up HDR displays; colours are the BT.2020 components of the signal",
    kinds: [.hdr10],
    draw: { canvas, _ in drawClipping(canvas) })

  /// Levels of white in cd/m²; a single component has the same signal as white.
  private static let levels: [Double] = [
    100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1200, 1500, 2000, 3000, 4000, 6000, 8000, 10_000,
  ]

  private static func drawClipping(_ canvas: PatternCanvas) -> PatternDrawing {
    var sketch = PatternSketch(canvas)
    sketch.title("clipping", "cd/m² of R = G = B", "strips are 10000")
    let colors: [(String, SIMD3<Double>)] = [
      ("white", [1, 1, 1]), ("red", [1, 0, 0]), ("green", [0, 1, 0]), ("blue", [0, 0, 1]),
    ]
    let body = LayoutArea(0.05, 0.12, 0.99, 0.985)
    for ((name, color), row) in zip(colors, body.rows(colors.count, gap: 0.12)) {
      sketch.label(name.prefix(1).uppercased(), LayoutArea(0.005, row.top, 0.045, row.bottom).middle)
      // A step that is indistinguishable from the strip above it is clipped.
      sketch.fill(row.part(0, 0, 1, 0.12), sketch.gray(10_000) * color)
      for (level, place) in zip(levels, row.part(0, 0.12, 1, 1).columns(levels.count)) {
        sketch.patch("\(name) \(Figure(level))", group: name, place, sketch.gray(level) * color)
      }
    }
    for (level, place) in zip(levels, body.columns(levels.count)) {
      sketch.label("\(Figure(level))", LayoutArea(place.left, 0.08, place.right, 0.115))
    }
    return sketch.drawing
  }
}

extension PatternSketch {
  /// Draws narrow-range signals below 0 and above 100 %, up to the last codes of video data.
  fileprivate mutating func overRange(_ part: LayoutArea) {
    let codes = signal.scale.videoCodes
    let low = signal.scale.luma(fromCode: codes.lowerBound)
    let high = signal.scale.luma(fromCode: codes.upperBound)
    let levels = [low, -0.05, -0.03, -0.01, 0, 0.02, 0.98, 1, 1.02, 1.04, 1.06, high]
    for (level, place) in zip(levels, part.columns(levels.count)) {
      let name = "\(Figure((level * 1000).rounded() / 10))%"
      patch("range \(name)", group: "over range", place, SIMD3(repeating: level))
      label(name, LayoutArea(place.left, part.bottom + 0.005, place.right, part.bottom + 0.04))
    }
  }
}

/// Sixty-four ten-bit codes, or the nearest sixteen eight-bit codes.
private struct BandingSteps: Sendable {
  static let count = 64

  let first: Int
  let range: VideoRange
  let color: SIMD3<Double>

  /// - Parameter position: 0...1.
  func signal(_ position: Double, isCoarse: Bool) -> SIMD3<Double> {
    let code = first + min(Int(position * Double(Self.count)), Self.count - 1)
    let fine = SampleScale(bitDepth: 10, range: range).luma(fromCode: code)
    guard isCoarse else { return fine * color }
    let eight = SampleScale(bitDepth: 8, range: range)
    return eight.luma(fromCode: eight.code(fromLuma: fine)) * color
  }
}

private struct PLUGEDrawing {
  private var sketch: PatternSketch
  var drawing: PatternDrawing { sketch.drawing }

  init(_ canvas: PatternCanvas) {
    sketch = PatternSketch(canvas, ink: 10)
    sketch.title("pluge", "steps in % of signal and in cd/m²")
    drawBars()
    let percents = (isNarrow ? [-4.0, -3, -2, -1] : []) + [0, 0.5, 1, 1.5, 2, 3, 4, 5]
    drawSteps(
      percents.map { ("\(Figure($0))%", SIMD3(repeating: $0 / 100)) }, group: "steps in %",
      LayoutArea(0.02, 0.6, 0.98, 0.72))
    let nits = [0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2]
    drawSteps(
      nits.map { ("\(Figure($0))", sketch.gray($0)) }, group: "steps in cd/m²", LayoutArea(0.02, 0.8, 0.98, 0.93))
  }

  private var isNarrow: Bool { sketch.signal.range == .narrow }

  /// Ten-bit codes: 64 black, 80 lighter, 48 darker, 399 (HDR) or 940 (SDR) the reference.
  /// Full range has no codes below black, so the darker bar and lines are omitted there.
  /// Source: ITU-R BT.814-4 (2018), for the codes and positions.
  private mutating func drawBars() {
    // UHD columns unchanged; of the rows, 600 to 1560, which contain everything.
    func place(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int) -> LayoutArea {
      LayoutArea(0, 0.07, 1, 0.57).part(
        Double(left) / 3840, Double(top - 600) / 960, Double(right) / 3840, Double(bottom - 600) / 960)
    }
    func level(_ code: Int) -> SIMD3<Double> {
      SIMD3(repeating: SampleScale(bitDepth: 10, range: .narrow).luma(fromCode: code))
    }
    let (lighter, darker) = (level(80), level(48))
    let white = level(sketch.signal.kind.isSDR ? 940 : 399)
    sketch.patch("reference", group: "BT.814", place(1776, 936, 2064, 1224), white)
    sketch.patch("lighter", group: "BT.814", place(2640, 648, 3216, 936), lighter)
    if isNarrow { sketch.patch("darker", group: "BT.814", place(2640, 1224, 3216, 1512), darker) }
    for line in 0..<(isNarrow ? 20 : 10) {
      let top = 690 + line * 40
      sketch.fill(place(624, top, 1200, top + 20), line < 10 ? lighter : darker)
    }
    sketch.label("+2%", place(3230, 760, 3500, 830), .leading)
    if isNarrow { sketch.label("-2%", place(3230, 1336, 3500, 1406), .leading) }
    sketch.label("+2%", place(340, 850, 600, 920), .trailing)
    if isNarrow { sketch.label("-2%", place(340, 1250, 600, 1320), .trailing) }
  }

  private mutating func drawSteps(_ steps: [(String, SIMD3<Double>)], group: String, _ part: LayoutArea) {
    for ((name, signal), place) in zip(steps, part.columns(steps.count, gap: 0.2)) {
      sketch.patch("\(group): \(name)", group: group, place, signal)
      sketch.label(name, LayoutArea(place.left, part.bottom + 0.008, place.right, part.bottom + 0.043))
    }
  }
}
