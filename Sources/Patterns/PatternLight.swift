internal import ColorScience
public import Frames
internal import Glibc
internal import Synchronization
internal import Threads

/// Content light level of a pattern, computed from its pixels: from R'G'B' code values, or from Y'CbCr as coded.
///
/// Codes below black are treated as no light; PQ codes above signal 1 as 10000 cd/m².
/// Source: CTA-861.3-A (2016), annex A.
public struct PatternLight: Sendable {
  /// The brightest pixel of all frames, max(R, G, B) in cd/m².
  public private(set) var maxCLL = 0.0
  /// The largest frame average of max(R, G, B) in cd/m².
  public private(set) var maxFALL = 0.0

  private let signal: PatternSignal
  private let table: LightTable

  /// Creates an accumulator without frames.
  /// - Parameter signal: Interpretation of the codes.
  public init(_ signal: PatternSignal) {
    self.signal = signal
    table = LightTable(signal)
  }

  /// Light of some rows: the sum and the maximum over the pixels of max(R, G, B) in cd/m².
  private struct Part {
    var sum = 0.0
    var peak = 0.0
  }

  /// Adds a frame. The result does not depend on the number of threads.
  /// - Parameters:
  ///   - painter: Paints the frame.
  ///   - threads: Maximum number of threads; nil: one per processor.
  public mutating func add(_ painter: PatternPainter, threads: Int? = nil) {
    let frame = light(of: painter, threads)
    maxCLL = max(maxCLL, frame.peak)
    maxFALL = max(maxFALL, frame.sum / (Double(painter.size.width) * Double(painter.size.height)))
  }

  /// Takes the maximum of each.
  mutating func merge(maxCLL: Double, maxFALL: Double) {
    self.maxCLL = max(self.maxCLL, maxCLL)
    self.maxFALL = max(self.maxFALL, maxFALL)
  }

  /// Both, rounded up to whole numbers for metadata.
  public var contentLight: ContentLight { ContentLight(roundingUp: maxCLL, maxFALL: maxFALL) }

  private func light(of painter: PatternPainter, _ threads: Int?) -> Part {
    let strips = RowStrips(rows: painter.size.height)
    let parts = Mutex(Array(repeating: Part(), count: strips.count))
    strips.run(threads: threads) { strip, rows in
      let part = light(rows, of: painter)
      parts.withLock { $0[strip] = part }
    }
    return parts.withLock { $0 }.reduce(Part()) { Part(sum: $0.sum + $1.sum, peak: max($0.peak, $1.peak)) }
  }

  private func light(_ strip: Range<Int>, of painter: PatternPainter) -> Part {
    var rows = PatternRows(painter)
    var codes = [SIMD3<UInt16>](repeating: .zero, count: painter.size.width)
    var (row, total) = (Part(), Part())
    for y in strip {
      if rows.move(to: y) {
        rows.round(by: .luma(signal.scale), into: &codes)
        row = light(codes)
      }
      total.sum += row.sum
      total.peak = max(total.peak, row.peak)
    }
    return total
  }

  private func light(_ codes: [SIMD3<UInt16>]) -> Part {
    var part = Part()
    var (last, nits) = (SIMD3<UInt16>.zero, table.brightest(.zero))
    for code in codes {
      if code != last { (last, nits) = (code, table.brightest(code)) }
      part.sum += nits
      part.peak = max(part.peak, nits)
    }
    return part
  }

  /// Adds a coded frame, with the maximum over the common ways to reconstruct chroma: interpolated from its siting, and
  /// repeated. The result does not depend on the number of threads.
  /// - Parameters:
  ///   - frame: Planar Y'CbCr of PQ.
  ///   - threads: Maximum number of threads; nil: one per processor.
  public mutating func add(coded frame: CodedFrame, threads: Int? = nil) {
    guard let reader = CodedRowReader(frame) else {
      preconditionFailure("no light of \(frame.layout) is computed")
    }
    let strips = RowStrips(rows: frame.size.height)
    let parts = Mutex(Array(repeating: CodedRowReader.Light(), count: strips.count))
    strips.run(threads: threads) { strip, rows in
      let part = reader.light(rows)
      parts.withLock { $0[strip] = part }
    }
    let light = parts.withLock { $0 }.reduce(into: CodedRowReader.Light()) { $0.add($1) }
    let pixels = Double(frame.size.width) * Double(frame.size.height)
    merge(maxCLL: light.peak, maxFALL: max(light.sums.x, light.sums.y) / pixels)
  }
}

/// The light of code values on the reference display, from tables.
struct LightTable: Sendable {
  private let kind: PatternSignal.Kind
  /// By code value: cd/m², or HLG scene light. Non-decreasing.
  private let components: [Double]

  init(_ signal: PatternSignal) {
    kind = signal.kind
    components = (0...signal.scale.maxCode).map { code in
      let value = signal.scale.luma(fromCode: code)
      return signal.kind == .hlg ? HLG.inverseOETF(value) : signal.nits(SIMD3(repeating: value)).x
    }
  }

  /// max(R, G, B) in cd/m².
  func brightest(_ codes: SIMD3<UInt16>) -> Double {
    guard kind == .hlg else { return components[Int(codes.max())] }
    let scene = SIMD3(components[Int(codes.x)], components[Int(codes.y)], components[Int(codes.z)])
    return HLG.ootf(scene, peak: PatternSignal.hlgPeak, gamma: HLG.gamma(peak: PatternSignal.hlgPeak)).max()
  }
}

/// Light of the rows of a coded PQ frame, for both chroma reconstructions.
private struct CodedRowReader: Sendable {
  struct Light: Sendable {
    var peak = 0.0
    /// Sums of max(R, G, B) over the pixels, with chroma interpolated and repeated.
    var sums = SIMD2<Double>.zero

    mutating func add(_ other: Light) {
      peak = max(peak, other.peak)
      sums += other.sums
    }
  }

  private let frame: CodedFrame
  private let matrix: YCbCrMatrix
  private let scale: SampleScale

  init?(_ frame: CodedFrame) {
    guard frame.layout.packing == .planar, let matrix = YCbCrMatrix(frame.color.matrix) else { return nil }
    self.frame = frame
    self.matrix = matrix
    scale = SampleScale(bitDepth: frame.layout.bitDepth, range: frame.color.range)
  }

  func light(_ rows: Range<Int>) -> Light {
    var total = Light()
    var (row, last) = (Light(), -1)
    for y in rows {
      if last < 0 || !isRepeated(y) { row = light(ofRow: y) }
      last = y
      total.add(row)
    }
    return total
  }

  private func light(ofRow y: Int) -> Light {
    let (layout, site) = (frame.layout, frame.color.chromaLocation.offset)
    let chroma = layout.planeSize(1, of: frame.size)
    var (light, memory) = (Light(), (key: SIMD4<Double>(repeating: .nan), luma: -1, nits: SIMD2<Double>.zero))
    for x in 0..<frame.size.width {
      let luma = frame.sample(plane: 0, x: x, y: y)
      func sited(_ plane: Int) -> Double {
        ChromaResampling.upsample(
          x: x, y: y, width: chroma.width, height: chroma.height, shiftX: layout.chromaShiftX,
          shiftY: layout.chromaShiftY, offset: site
        ) { Double(frame.sample(plane: plane, x: $0, y: $1)) }
      }
      func repeated(_ plane: Int) -> Double {
        Double(frame.sample(plane: plane, x: x >> layout.chromaShiftX, y: y >> layout.chromaShiftY))
      }
      let key = SIMD4(sited(1), sited(2), repeated(1), repeated(2))
      // Most neighbours are equal, so the last result is reused.
      if luma != memory.luma || key != memory.key {
        memory = (key, luma, SIMD2(nits(luma, key.x, key.y), nits(luma, key.z, key.w)))
      }
      light.sums += memory.nits
      light.peak = max(light.peak, memory.nits.max())
    }
    return light
  }

  private func nits(_ luma: Int, _ cb: Double, _ cr: Double) -> Double {
    let rgb = matrix.rgb(
      fromYCbCr: SIMD3(
        scale.luma(fromCode: luma), (cb - scale.chromaOffset) / scale.chromaScale,
        (cr - scale.chromaOffset) / scale.chromaScale))
    return PQ.eotf(min(max(rgb.max(), 0), 1))
  }

  /// Whether row `y` repeats the row above: same luma, and same contributing chroma rows.
  private func isRepeated(_ y: Int) -> Bool {
    guard y > 0, isSame(plane: 0, y - 1, y) else { return false }
    let shift = frame.layout.chromaShiftY
    let rows = frame.layout.planeSize(1, of: frame.size).height
    let first = max((y >> shift) - 2, 0)
    return (first..<min((y >> shift) + 2, rows - 1)).allSatisfy { row in
      isSame(plane: 1, row, row + 1) && isSame(plane: 2, row, row + 1)
    }
  }

  private func isSame(plane: Int, _ first: Int, _ second: Int) -> Bool {
    let bytes = frame.layout.planeSize(plane, of: frame.size).width * frame.layout.bytesPerSample
    return unsafe frame.withPlane(plane) { unsafe memcmp($0.row(first), $0.row(second), bytes) == 0 }
  }
}

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
