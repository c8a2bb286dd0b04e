internal import ColorScience
internal import Frames

extension TestPattern {
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
