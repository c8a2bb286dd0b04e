internal import ColorScience
internal import Frames

extension TestPattern {
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
