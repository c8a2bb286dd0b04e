internal import ColorScience
internal import Frames

extension TestPattern {
  static let headroom = TestPattern(
    "headroom", "Steps of 0 to 1 and of 1 to N times SDR white: how much brighter than white a display gets.",
    source: "EDR headroom as operating systems define it: 1 is SDR white; reference white by ITU-R BT.2408-7, 2.1",
    kinds: [.hdr10, .hlg],
    parameters: [
      Parameter("white", "luminance of SDR white in cd/m²", in: 50...1000, default: 203),
      Parameter("headroom", "the last step in multiples of white, up to the signal's peak", in: 1...100, default: 8),
    ],
    draw: { canvas, _ in drawHeadroom(canvas) })

  private static func drawHeadroom(_ canvas: PatternCanvas) -> PatternDrawing {
    var sketch = PatternSketch(canvas)
    let white = canvas["white"]
    let headroom = min(canvas["headroom"], canvas.signal.peak / white)
    sketch.title("headroom", "1 = \(Figure(white)) cd/m²", "strip \(Figure(headroom))")
    let above = headroomSteps(to: headroom)
    sketch.headroomRow(
      (0...10).map { Double($0) / 10 }, white: white, group: "0 to 1",
      LayoutArea(0.02, 0.13, 0.98, above.isEmpty ? 0.92 : 0.42))
    guard !above.isEmpty else { return sketch.drawing }
    let row = LayoutArea(0.02, 0.62, 0.98, 0.92)
    sketch.headroomRow(above, white: white, group: "above 1", row)
    // Steps that are indistinguishable from this strip reach the peak of the display.
    sketch.patch(
      "limit", group: "above 1", LayoutArea(row.left, 0.51, row.right, 0.56), sketch.gray(headroom * white))
    return sketch.drawing
  }

  /// Returns at most sixteen values above 1, at round intervals, the last being the headroom.
  private static func headroomSteps(to headroom: Double) -> [Double] {
    guard headroom > 1.001 else { return [] }
    let distances = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10]
    let distance = distances.first { (headroom - 1) / $0 <= 15.999 } ?? 10
    let round = (1...16).map { 1 + Double($0) * distance }.filter { $0 < headroom - distance / 4 }
    return round + [headroom]
  }
}

extension PatternSketch {
  /// Draws steps, with their multiple of white above and their luminance below.
  fileprivate mutating func headroomRow(_ steps: [Double], white: Double, group: String, _ part: LayoutArea) {
    for (step, place) in zip(steps, part.columns(steps.count)) {
      patch("\(group): \(Figure(step))", group: group, place, gray(step * white))
      label("\(Figure(step))", LayoutArea(place.left, part.top - 0.04, place.right, part.top - 0.005))
      label("\(Figure(step * white))", LayoutArea(place.left, part.bottom + 0.005, place.right, part.bottom + 0.04))
    }
  }
}
