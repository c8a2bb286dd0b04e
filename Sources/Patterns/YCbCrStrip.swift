internal import ColorScience
internal import Frames

/// Paints rows of Y'CbCr from top to bottom: chroma rows with the corresponding luma rows.
struct YCbCrStrip<Code: FixedWidthInteger & Sendable> {
  /// Cb and Cr of a luma row at the chroma columns.
  private struct ChromaLine {
    var row: Int
    /// Version of the signals it was computed from.
    var version: Int
    var values: [SIMD2<Double>]
  }

  private let frame: CodedFrame
  private let rounding: (luma: CodeRounding, chroma: CodeRounding)
  private let matrix: YCbCrMatrix
  private let columns: [ChromaTaps]

  private var rows: PatternRows
  /// Y'CbCr of the last painted luma row.
  private var signals: [SIMD3<Double>]
  /// The last painted luma rows, at least as many as contribute to a chroma row.
  private var lines: [ChromaLine] = []

  init(_ painter: PatternPainter, _ frame: CodedFrame, _ scale: SampleScale, _ matrix: YCbCrMatrix) {
    self.frame = frame
    rounding = (.luma(scale), .chroma(scale))
    self.matrix = matrix
    let (width, shift, offset) = (frame.size.width, frame.layout.chromaShiftX, frame.color.chromaLocation.offset.x)
    columns = (0..<frame.layout.planeSize(1, of: frame.size).width).map {
      ChromaTaps(chroma: $0, shift: shift, offset: offset, count: width)
    }
    rows = PatternRows(painter)
    signals = Array(repeating: .zero, count: width)
  }

  mutating func paint(chroma strip: Range<Int>) {
    let (height, shift, offset) = (frame.size.height, frame.layout.chromaShiftY, frame.color.chromaLocation.offset.y)
    let luma = strip.lowerBound << shift..<min(strip.upperBound << shift, height)
    if frame.layout.components == .gray { return paintLuma(from: luma.lowerBound, to: luma.upperBound - 1, of: luma) }
    var last = SIMD3<Int>.zero
    for y in strip {
      let taps = ChromaTaps(chroma: y, shift: shift, offset: offset, count: height)
      paintLuma(from: taps.places.0, to: max(taps.places.2, min((y + 1) << shift, height) - 1), of: luma)
      let lines = (line(taps.places.0), line(taps.places.1), line(taps.places.2))
      let versions = SIMD3(lines.0.version, lines.1.version, lines.2.version)
      if versions == last {
        frame.repeatRow(plane: 1, y: y)
        frame.repeatRow(plane: 2, y: y)
      } else {
        last = versions
        let (first, second, third) = (lines.0.values, lines.1.values, lines.2.values)
        write(columns.indices.map { taps.mix(first[$0], second[$0], third[$0]) }, row: y)
      }
    }
  }

  private func line(_ row: Int) -> ChromaLine {
    guard let line = lines.first(where: { $0.row == row }) else { preconditionFailure("row \(row) was not painted") }
    return line
  }

  /// Continues painting rows: rows of the strip into the frame, others only for their chroma.
  /// - Parameter first: Start row if nothing has been painted yet.
  private mutating func paintLuma(from first: Int, to last: Int, of strip: Range<Int>) {
    var y = lines.last.map { $0.row + 1 } ?? first
    while y <= last {
      let isNew = rows.move(to: y)
      if isNew { convert() }
      if strip.contains(y) {
        if isNew || y == strip.lowerBound { writeLuma(y) } else { frame.repeatRow(plane: 0, y: y) }
      }
      let values = isNew ? chromaLine() : lines[lines.count - 1].values
      lines.append(ChromaLine(row: y, version: rows.version, values: values))
      if lines.count > 4 { lines.removeFirst() }
      y += 1
    }
  }

  /// Converts R'G'B' of the row to Y'CbCr. Runs of one signal are converted once.
  private mutating func convert() {
    var (last, converted) = (SIMD3<Double>(repeating: .nan), SIMD3<Double>.zero)
    for x in signals.indices {
      let signal = rows.signals[x]
      if signal != last { (last, converted) = (signal, matrix.ycbcr(fromRGB: signal)) }
      signals[x] = converted
    }
  }

  private func chromaLine() -> [SIMD2<Double>] {
    func chroma(_ x: Int) -> SIMD2<Double> { SIMD2(signals[x].y, signals[x].z) }
    return columns.map { $0.mix(chroma($0.places.0), chroma($0.places.1), chroma($0.places.2)) }
  }

  private func writeLuma(_ y: Int) {
    frame.withRow(plane: 0, y: y, of: Code.self) { row in
      for x in signals.indices { row[x] = Code(truncatingIfNeeded: rounding.luma.code(signals[x].x)) }
    }
  }

  private func write(_ chroma: [SIMD2<Double>], row y: Int) {
    frame.withRow(plane: 1, y: y, of: Code.self) { row in
      for x in chroma.indices { row[x] = Code(truncatingIfNeeded: rounding.chroma.code(chroma[x].x)) }
    }
    frame.withRow(plane: 2, y: y, of: Code.self) { row in
      for x in chroma.indices { row[x] = Code(truncatingIfNeeded: rounding.chroma.code(chroma[x].y)) }
    }
  }
}

/// The taps of `ChromaResampling.downsampling`: always three, the last possibly with zero weight.
struct ChromaTaps {
  /// Indices of the neighbours, clamped to the edges.
  let places: (Int, Int, Int)
  let weights: (Double, Double, Double)

  /// - Parameters:
  ///   - count: Samples at full resolution.
  init(chroma: Int, shift: Int, offset: Double, count: Int) {
    let taps = ChromaResampling.downsampling(chroma: chroma, shift: shift, offset: offset)
    func place(_ index: Int) -> Int { min(max(taps.first + min(index, taps.weights.count - 1), 0), count - 1) }
    func weight(_ index: Int) -> Double { index < taps.weights.count ? taps.weights[index] : 0 }
    places = (place(0), place(1), place(2))
    weights = (weight(0), weight(1), weight(2))
  }

  @inline(__always)
  func mix(_ first: SIMD2<Double>, _ second: SIMD2<Double>, _ third: SIMD2<Double>) -> SIMD2<Double> {
    weights.0 * first + weights.1 * second + weights.2 * third
  }
}

/// Rounds to the nearest code values of a `SampleScale`, with precomputed constants.
struct CodeRounding: Sendable {
  private let scale: Double
  /// Code of signal 0.
  private let offset: Double
  private let lowest: Double
  private let highest: Double

  static func luma(_ scale: SampleScale) -> CodeRounding { CodeRounding(scale, scale.lumaScale, scale.lumaOffset) }
  static func chroma(_ scale: SampleScale) -> CodeRounding {
    CodeRounding(scale, scale.chromaScale, scale.chromaOffset)
  }

  private init(_ range: SampleScale, _ scale: Double, _ offset: Double) {
    self.scale = scale
    self.offset = offset
    lowest = Double(range.videoCodes.lowerBound)
    highest = Double(range.videoCodes.upperBound)
  }

  /// NaN becomes the lowest code.
  @inline(__always)
  func code(_ signal: Double) -> UInt16 {
    let value = signal * scale + offset + 0.5
    return value > lowest ? UInt16(min(value, highest)) : UInt16(lowest)
  }
}
