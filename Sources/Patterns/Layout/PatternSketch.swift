internal import ColorScience
internal import Frames

/// Builds a drawing, with positions as fractions of the picture and greys in cd/m².
struct PatternSketch {
  let canvas: PatternCanvas
  var drawing: PatternDrawing
  /// Colour of text.
  var ink: SIMD3<Double>

  /// - Parameters:
  ///   - background: Luminance of the background in cd/m².
  ///   - ink: Luminance of text in cd/m².
  init(_ canvas: PatternCanvas, background: Double = 0, ink: Double = 60) {
    self.canvas = canvas
    drawing = PatternDrawing(canvas, background: background > 0 ? canvas.signal.gray(nits: background) : .zero)
    self.ink = canvas.signal.gray(nits: ink)
  }

  var signal: PatternSignal { canvas.signal }

  /// A parameter's luminance in cd/m², limited to the peak of the signal.
  func nits(_ parameter: String) -> Double { min(canvas[parameter], signal.peak) }

  /// Signal of a grey in cd/m²; black is 0.
  func gray(_ nits: Double) -> SIMD3<Double> { nits > 0 ? signal.gray(nits: nits) : .zero }

  /// Luminance in cd/m² of a grey signal.
  func nits(ofGray level: Double) -> Double { signal.nits(SIMD3(repeating: level)).y }

  mutating func fill(_ part: LayoutArea, _ signal: SIMD3<Double>) {
    drawing.elements.append(.init(canvas.area(part), .flat(signal)))
  }

  mutating func patch(_ name: String, group: String, _ part: LayoutArea, _ signal: SIMD3<Double>) {
    drawing.patch(name, group: group, canvas.area(part), signal)
  }

  /// A ramp from left to right.
  /// - Parameter signal: Signal by the position, 0 in the first column and 1 in the last.
  mutating func ramp(
    _ name: String, _ part: LayoutArea, signal: @escaping @Sendable (_ position: Double) -> SIMD3<Double>
  ) {
    let area = canvas.area(part)
    let last = Double(max(area.width - 1, 1))
    drawing.ramp(name, area) { signal(Double($0) / last) }
  }

  /// Fine structure, measured pixel by pixel.
  mutating func detail(
    _ name: String, _ kind: PatternDrawing.Detail.Kind, _ area: PictureArea, _ content: PatternDrawing.Content
  ) {
    drawing.elements.append(.init(area, content))
    drawing.details.append(.init(name, kind: kind, area: area))
  }

  /// Draws text in the middle of an area; in pictures taller than 16:9, no larger than in a 16:9 picture of the same
  /// width, so that adjacent labels have the same size.
  mutating func label(_ text: String, _ part: LayoutArea, _ alignment: PatternDrawing.Label.Alignment = .center) {
    let shrunk = min(Double(canvas.size.width) * 9 / 16 / Double(canvas.size.height), 1)
    let area = canvas.area(part.part(0, (1 - shrunk) / 2, 1, (1 + shrunk) / 2))
    drawing.labels.append(.init(text, area: area, alignment: alignment, signal: ink))
  }
}

extension PatternSketch {
  /// Draws a row of patches, for patterns that have none: they separate errors of range, matrix and gain from the
  /// errors that the pattern tests.
  /// - Parameter nits: Luminance of white in cd/m².
  mutating func references(_ part: LayoutArea, nits: Double) {
    let white = gray(nits)
    let patches: [(name: String, signal: SIMD3<Double>)] = [
      ("black", .zero), ("25% grey", white * 0.25), ("50% grey", white * 0.5), ("75% grey", white * 0.75),
      ("white", white),
      ("yellow", white * SIMD3(1, 1, 0)), ("cyan", white * SIMD3(0, 1, 1)), ("green", white * SIMD3(0, 1, 0)),
      ("magenta", white * SIMD3(1, 0, 1)), ("red", white * SIMD3(1, 0, 0)), ("blue", white * SIMD3(0, 0, 1)),
    ]
    for (patch, place) in zip(patches, part.columns(patches.count)) {
      self.patch("reference \(patch.name)", group: "references", place, patch.signal)
    }
  }

  /// White in cd/m² of reference patches and frame codes: HDR reference white, or the peak of SDR.
  /// Source: ITU-R BT.2408-7, 2.1.
  var referenceWhite: Double { min(203, signal.peak) }
}
