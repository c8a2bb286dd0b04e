import ColorScience
import Frames
import Lettering
import Patterns

/// The reference of painting: one pixel at a time, with nothing kept from one to the next.
struct PlainPainter {
  let drawing: PatternDrawing
  /// Writing and its top left.
  private let labels: [(label: PatternDrawing.Label, ink: Coverage, x: Int, y: Int)]

  init(_ drawing: PatternDrawing, typeface: Typeface? = nil) {
    self.drawing = drawing
    labels = drawing.labels.compactMap { label in
      guard let typeface, !label.text.isEmpty else { return nil }
      let (width, height) = (label.area.width, label.area.height)
      var pixels = height
      while pixels >= 7, typeface.width(of: label.text, height: Double(pixels)) > Double(width) { pixels -= 1 }
      guard pixels >= 7 else { return nil }
      let ink = typeface.line(label.text, height: Double(pixels))
      let spare = width - ink.width
      let left = label.alignment == .leading ? 0 : label.alignment == .center ? spare / 2 : spare
      return (label, ink, label.area.x + left, label.area.y + (height - pixels) / 2)
    }
  }

  func signal(_ x: Int, _ y: Int) -> SIMD3<Double> {
    var result = drawing.background
    for element in drawing.elements where element.area.contains(x: x, y: y) {
      let (column, row) = (x - element.area.x, y - element.area.y)
      switch element.content {
      case .flat(let signal): result = signal
      case .columns(let signal): result = signal(column)
      case .rows(let signal): result = signal(row)
      case .pixels(let signal): result = signal(column, row)
      }
    }
    for (label, ink, left, top) in labels {
      guard (0..<ink.width).contains(x - left), (0..<ink.height).contains(y - top) else { continue }
      let share = Double(ink.values[(y - top) * ink.width + x - left]) / 255
      if share > 0 { result = result * (1 - share) + label.signal * share }
    }
    return result
  }

  func paint(into frame: CodedFrame) {
    let scale = SampleScale(bitDepth: frame.layout.bitDepth, range: frame.color.range)
    let size = drawing.size
    guard frame.layout.components != .rgb else {
      for y in 0..<size.height {
        for x in 0..<size.width {
          let signal = signal(x, y)
          for (plane, value) in [signal.y, signal.z, signal.x].enumerated() {
            frame.setSample(scale.code(fromLuma: value), plane: plane, x: x, y: y)
          }
        }
      }
      return
    }
    let matrix = YCbCrMatrix(frame.color.matrix)!
    let signals = (0..<size.height).map { y in
      (0..<size.width).map { matrix.ycbcr(fromRGB: signal($0, y)) }
    }
    for y in 0..<size.height {
      for x in 0..<size.width { frame.setSample(scale.code(fromLuma: signals[y][x].x), plane: 0, x: x, y: y) }
    }
    paintChroma(of: signals, into: frame, scale)
  }

  private func paintChroma(of signals: [[SIMD3<Double>]], into frame: CodedFrame, _ scale: SampleScale) {
    let (layout, offset) = (frame.layout, frame.color.chromaLocation.offset)
    let chroma = layout.planeSize(1, of: frame.size)
    for y in 0..<chroma.height {
      let rows = ChromaResampling.downsampling(chroma: y, shift: layout.chromaShiftY, offset: offset.y)
      for x in 0..<chroma.width {
        let columns = ChromaResampling.downsampling(chroma: x, shift: layout.chromaShiftX, offset: offset.x)
        var sum = SIMD2<Double>.zero
        for (j, rowWeight) in rows.weights.enumerated() {
          var line = SIMD2<Double>.zero
          for (i, weight) in columns.weights.enumerated() {
            let signal = signals[min(max(rows.first + j, 0), signals.count - 1)][
              min(max(columns.first + i, 0), signals[0].count - 1)]
            line += weight * SIMD2(signal.y, signal.z)
          }
          sum += rowWeight * line
        }
        frame.setSample(scale.code(fromChroma: sum.x), plane: 1, x: x, y: y)
        frame.setSample(scale.code(fromChroma: sum.y), plane: 2, x: x, y: y)
      }
    }
  }
}

extension CodedFrame {
  /// All samples, plane after plane, row after row.
  var samples: [[Int]] {
    (0..<layout.planeCount).map { plane in
      let extent = layout.planeSize(plane, of: size)
      return (0..<extent.height).flatMap { y in (0..<extent.width).map { sample(plane: plane, x: $0, y: y) } }
    }
  }
}
