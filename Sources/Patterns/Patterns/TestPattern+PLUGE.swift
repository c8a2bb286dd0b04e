internal import ColorScience
internal import Frames

extension TestPattern {
  static let pluge = TestPattern(
    "pluge", "Near-black bars and lines for setting black level, with steps in % and in cd/m² from 0.005 up.",
    source: "ITU-R BT.814-4 (2018) for bars, lines and the reference white; the steps are Headroom's",
    draw: { canvas, _ in PLUGEDrawing(canvas).drawing })
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
