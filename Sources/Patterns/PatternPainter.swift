internal import ColorScience
public import Frames
public import Lettering
internal import Threads

/// Paints a drawing row by row, as signals rather than code values.
public struct PatternPainter: Sendable {
  /// Rows covered by the same elements.
  struct Band: Sendable {
    let rows: Range<Int>
    /// Whether all of its rows are equal.
    let isUniform: Bool
  }

  /// The painted drawing.
  public let drawing: PatternDrawing
  let labels: [PlacedLabel]
  /// Every row belongs to a band.
  let bands: [Band]
  /// Signals of column elements, by element; empty for others.
  private let columns: [[SIMD3<Double>]]

  /// The font of labels, or the reason why it is missing: drawings are then painted without labels.
  public static let lettering: Result<Typeface, LetteringError> = {
    do throws(LetteringError) { return .success(try Typeface.default()) } catch { return .failure(error) }
  }()

  /// Creates a painter of one frame's drawing.
  /// - Parameters:
  ///   - drawing: The drawing; its labels are rasterized here, once.
  ///   - typeface: The font of labels; nil: no labels.
  public init(_ drawing: PatternDrawing, typeface: Typeface? = try? lettering.get()) {
    self.drawing = drawing
    let labels = typeface.map { face in drawing.labels.compactMap { PlacedLabel($0, face) } } ?? []
    self.labels = labels
    bands = Self.bands(of: drawing, labels)
    columns = drawing.elements.map { element in
      guard case .columns(let signal) = element.content else { return [] }
      return Self.columns(of: element.area, in: drawing.size).map { signal($0 - element.area.x) }
    }
  }

  /// Size in pixels.
  public var size: Size { drawing.size }

  /// The R'G'B' signals of a row.
  /// - Parameters:
  ///   - y: Row from the top, 0..<height.
  ///   - signals: One per column of the drawing; all are overwritten.
  public func paint(row y: Int, into signals: inout [SIMD3<Double>]) {
    paint(row: y, elements: drawing.elements.indices, labels: labels.indices, into: &signals)
  }

  /// The signals of a row, given the elements that may cover it.
  /// - Parameters:
  ///   - elements: Indices of these elements, in order.
  ///   - labels: Indices of these labels, in order.
  func paint(
    row y: Int, elements: some Collection<Int>, labels: some Collection<Int>, into signals: inout [SIMD3<Double>]
  ) {
    precondition(signals.count == size.width)
    for x in signals.indices { signals[x] = drawing.background }
    for index in elements { paint(index, row: y, into: &signals) }
    for index in labels { self.labels[index].paint(row: y, into: &signals) }
  }

  private func paint(_ index: Int, row y: Int, into signals: inout [SIMD3<Double>]) {
    let area = drawing.elements[index].area
    guard y >= area.y, y < area.maxY else { return }
    let visible = Self.columns(of: area, in: size)
    switch drawing.elements[index].content {
    case .flat(let signal): for x in visible { signals[x] = signal }
    case .columns:
      let values = columns[index]
      for x in visible { signals[x] = values[x - visible.lowerBound] }
    case .rows(let signal):
      let value = signal(y - area.y)
      for x in visible { signals[x] = value }
    case .pixels(let signal): for x in visible { signals[x] = signal(x - area.x, y - area.y) }
    }
  }

  /// Returns the columns of an area within the picture.
  private static func columns(of area: PictureArea, in size: Size) -> Range<Int> {
    let first = min(max(area.x, 0), size.width)
    return first..<max(min(area.maxX, size.width), first)
  }

  private static func bands(of drawing: PatternDrawing, _ labels: [PlacedLabel]) -> [Band] {
    var edges: Set = [0, drawing.size.height]
    let areas = drawing.elements.map(\.area) + labels.map(\.area)
    for area in areas { edges.formUnion([area.y, area.maxY].filter { $0 > 0 && $0 < drawing.size.height }) }
    let sorted = edges.sorted()
    // Areas with varying rows, as ranges of rows.
    let varied = labels.map(\.area) + drawing.elements.filter { $0.content.variesByRow }.map(\.area)
    return zip(sorted, sorted.dropFirst()).map { top, bottom in
      Band(rows: top..<bottom, isUniform: !varied.contains { $0.y <= top && $0.maxY >= bottom && !$0.isEmpty })
    }
  }

  /// Paints a frame of code values; the codes do not depend on the number of threads.
  ///
  /// Y'CbCr is computed from unrounded signals; chroma is subsampled with `ChromaResampling`.
  /// - Parameters:
  ///   - frame: A frame of the drawing's size, in R'G'B', planar Y'CbCr or Y' alone; its matrix and range are used.
  ///   - threads: Maximum number of threads; nil: one per processor.
  public func paint(into frame: CodedFrame, threads: Int? = nil) {
    precondition(frame.size == size && frame.layout.packing == .planar && frame.layout.samples == .integer)
    if frame.layout.bytesPerSample == 1 {
      paint(into: frame, as: UInt8.self, threads)
    } else {
      paint(into: frame, as: UInt16.self, threads)
    }
  }

  private func paint<Code: FixedWidthInteger & Sendable>(into frame: CodedFrame, as: Code.Type, _ threads: Int?) {
    let scale = SampleScale(bitDepth: frame.layout.bitDepth, range: frame.color.range)
    guard frame.layout.components != .rgb else {
      return RowStrips(rows: size.height).run(threads: threads) { _, rows in
        paintRGB(rows, into: frame, as: Code.self, scale)
      }
    }
    guard let matrix = YCbCrMatrix(frame.color.matrix) else {
      preconditionFailure("no Y'CbCr of \(frame.color.matrix) is painted")
    }
    RowStrips(rows: frame.layout.planeSize(1, of: size).height).run(threads: threads) { _, rows in
      var strip = YCbCrStrip<Code>(self, frame, scale, matrix)
      strip.paint(chroma: rows)
    }
  }

  private func paintRGB<Code: FixedWidthInteger & Sendable>(
    _ strip: Range<Int>, into frame: CodedFrame, as: Code.Type, _ scale: SampleScale
  ) {
    var rows = PatternRows(self)
    var codes = [SIMD3<UInt16>](repeating: .zero, count: size.width)
    for y in strip {
      guard rows.move(to: y) else {
        for plane in 0..<3 { frame.repeatRow(plane: plane, y: y) }
        continue
      }
      rows.round(by: .luma(scale), into: &codes)
      frame.withRow(plane: 0, y: y, of: Code.self) { row in
        for x in codes.indices { row[x] = Code(truncatingIfNeeded: codes[x].y) }
      }
      frame.withRow(plane: 1, y: y, of: Code.self) { row in
        for x in codes.indices { row[x] = Code(truncatingIfNeeded: codes[x].z) }
      }
      frame.withRow(plane: 2, y: y, of: Code.self) { row in
        for x in codes.indices { row[x] = Code(truncatingIfNeeded: codes[x].x) }
      }
    }
  }
}

extension PatternDrawing.Content {
  /// Whether the rows of the area differ.
  fileprivate var variesByRow: Bool {
    switch self {
    case .flat, .columns: false
    case .rows, .pixels: true
    }
  }
}

extension PatternPainter {
  /// The light of a drawing on the reference display, from unrounded signals.
  /// - Parameters:
  ///   - signal: Interpretation of the drawing's signals.
  ///   - threads: Maximum number of threads; nil: one per processor.
  ///   - row: Called once per row, in any order and from several threads, with the row number and its linear
  ///     components in cd/m², in the signal's primaries.
  public func paintLight(
    of signal: PatternSignal, threads: Int? = nil, row: @Sendable (_ y: Int, _ light: [SIMD3<Double>]) -> Void
  ) {
    RowStrips(rows: size.height).run(threads: threads) { _, strip in
      var rows = PatternRows(self)
      var light = [SIMD3<Double>](repeating: .zero, count: size.width)
      for y in strip {
        if rows.move(to: y) {
          var (last, nits) = (SIMD3<Double>(repeating: .nan), SIMD3<Double>.zero)
          for x in light.indices {
            if rows.signals[x] != last { (last, nits) = (rows.signals[x], signal.nits(rows.signals[x])) }
            light[x] = nits
          }
        }
        row(y, light)
      }
    }
  }
}

extension CodedFrame {
  /// Writes the samples of a row of a plane.
  /// - Parameter Code: As wide as `layout.bytesPerSample`.
  func withRow<Code: FixedWidthInteger & Sendable>(
    plane: Int, y: Int, of: Code.Type = Code.self, _ body: (inout MutableSpan<Code>) -> Void
  ) {
    precondition(MemoryLayout<Code>.size == layout.bytesPerSample)
    unsafe withPlane(plane) { plane in
      let (width, height) = unsafe (plane.size.width, plane.size.height)
      precondition(y >= 0 && y < height)
      let row = unsafe plane.row(y).bindMemory(to: Code.self, capacity: width)
      let samples = unsafe UnsafeMutableBufferPointer(start: row, count: width)
      var span = unsafe samples.mutableSpan
      body(&span)
    }
  }

  /// Copies the row above.
  func repeatRow(plane: Int, y: Int) {
    let bytes = layout.planeSize(plane, of: size).width * layout.bytesPerSample
    unsafe withPlane(plane) { plane in
      let height = unsafe plane.size.height
      precondition(y > 0 && y < height)
      unsafe plane.row(y).copyMemory(from: plane.row(y - 1), byteCount: bytes)
    }
  }
}
