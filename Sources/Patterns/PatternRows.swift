internal import Frames

/// Rows of a drawing from top to bottom. A row that repeats the previous one is not painted again.
struct PatternRows {
  private let painter: PatternPainter
  /// The R'G'B' signals of the row.
  private(set) var signals: [SIMD3<Double>]
  /// Rows with the same number have the same signals; 0 before the first.
  private(set) var version = 0
  private var band = -1
  private var elements: [Int] = []
  private var labels: [Int] = []

  init(_ painter: PatternPainter) {
    self.painter = painter
    signals = Array(repeating: .zero, count: painter.size.width)
  }

  /// Advances to a row at or below the last one.
  /// - Returns: Whether its signals differ, or it is the first.
  mutating func move(to y: Int) -> Bool {
    let isSameBand = band >= 0 && painter.bands[band].rows.contains(y)
    if isSameBand, painter.bands[band].isUniform { return false }
    if !isSameBand { enterBand(of: y) }
    painter.paint(row: y, elements: elements, labels: labels, into: &signals)
    version += 1
    return true
  }

  private mutating func enterBand(of y: Int) {
    band = max(band, 0)
    while !painter.bands[band].rows.contains(y) { band += 1 }
    elements = painter.drawing.elements.indices.filter { index in
      let area = painter.drawing.elements[index].area
      return area.y <= y && y < area.maxY
    }
    labels = painter.labels.indices.filter { painter.labels[$0].area.y <= y && y < painter.labels[$0].area.maxY }
  }
}

extension PatternRows {
  /// Rounds the row to R'G'B' code values. Runs of one signal are rounded once.
  func round(by rounding: CodeRounding, into codes: inout [SIMD3<UInt16>]) {
    var (last, code) = (SIMD3<Double>(repeating: .nan), SIMD3<UInt16>.zero)
    for x in signals.indices {
      let signal = signals[x]
      if signal != last {
        last = signal
        code = SIMD3(rounding.code(signal.x), rounding.code(signal.y), rounding.code(signal.z))
      }
      codes[x] = code
    }
  }
}
