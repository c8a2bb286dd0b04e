internal import ColorScience
public import Frames

/// Keeps every reading of a coded PQ picture at or below a peak.
///
/// Light is at or below the peak when it is coded, but shared chroma is an average: at a coloured edge the bright side
/// can decode to more than twice the peak, and rounding to code values raises white by half a code. Luma is lowered
/// where chroma, interpolated from its siting or repeated, would take a component above the peak; chroma is unchanged.
/// Interlaced pictures are limited both by field and as a frame.
public struct PeakLimiter: Sendable {
  private let format: PixelFormat
  /// The unrounded code value of the peak.
  private let limit: Double
  private let lowest: Int
  /// The contributions of Cb and Cr codes to R', G' and B', in luma codes.
  private let reach: ChromaReach
  private let rowsPerBand = 16
  /// Rows examined around graphics.
  private static let margin = 16

  /// Creates a limiter of frames of one format.
  /// - Parameters:
  ///   - format: Format of the frames: planar code values.
  ///   - peak: In cd/m², above 0.
  /// - Throws: `RenderingError` for formats that are not planar code values, or without a Y'CbCr matrix.
  public init(format: PixelFormat, peak: Double) throws(RenderingError) {
    let layout = format.layout
    guard layout.packing == .planar, layout.samples == .integer else { throw .unsupportedTarget(layout) }
    let isRGB = layout.components == .rgb
    guard let matrix = isRGB ? .bt709 : YCbCrMatrix(format.color.matrix) else {
      throw .unsupportedMatrix(format.color.matrix)
    }
    let codes = SampleScale(bitDepth: layout.bitDepth, range: format.color.range)
    self.format = format
    limit = PQ.inverseEOTF(peak) * codes.lumaScale + codes.lumaOffset + 1e-9
    lowest = codes.videoCodes.lowerBound
    reach = ChromaReach(matrix, codes)
  }

  /// Lowers luma above the peak, in place.
  /// - Parameters:
  ///   - frame: A frame of the limiter's format, not yet handed on.
  ///   - pool: Worker threads.
  public func limit(_ frame: CodedFrame, pool: WorkerPool) {
    precondition(frame.format == format)
    for field in readings(of: frame) { limit(field.map(frame.field) ?? frame, field, nil, pool) }
  }

  /// Lowers luma above the peak under graphics, in place: covered pixels, and pixels that share chroma with coloured
  /// graphics unless their luma alone is above the peak. All other samples are unchanged. Where the picture itself is
  /// above the peak, edges stay between the levels of their two sides.
  /// - Parameters:
  ///   - frame: A frame of the limiter's format, not yet handed on.
  ///   - overlay: The overlay blended over the picture.
  ///   - area: Area of the picture in the frame.
  ///   - pool: Worker threads.
  public func limit(_ frame: CodedFrame, under overlay: LightOverlay, in area: PictureArea, pool: WorkerPool) {
    precondition(frame.format == format && area.isInside(frame.size))
    let readings = readings(of: frame)
    let first = overlay.rows.lowerBound + area.y
    let luma = DrawnLuma(frame, first - Self.margin..<first + overlay.rows.count + Self.margin)
    for field in readings {
      let drawn = DrawnPixels(overlay, area, of: format, field, isInterlaced: readings.count > 1, luma)
      limit(field.map(frame.field) ?? frame, field, drawn, pool)
    }
  }

  /// Returns the pictures to read: the frame (nil), and its fields if they have separate chroma.
  private func readings(of frame: CodedFrame) -> [Field?] {
    let hasFields =
      frame.fieldOrder != nil && format.layout.chromaShiftY == 1
      && format.layout.dividesIntoFields(height: frame.size.height)
    return hasFields ? [nil, .top, .bottom] : [nil]
  }

  private func limit(_ picture: CodedFrame, _ field: Field?, _ drawn: DrawnPixels?, _ pool: WorkerPool) {
    let whole = 0..<picture.size.height
    let wanted = drawn?.rows.clamped(to: whole) ?? whole
    pool.forEachBand(of: picture.size.height, span: rowsPerBand) { [self] rows, _, _ in
      let rows = rows.clamped(to: wanted)
      if rows.isEmpty { return }
      if format.layout.bytesPerSample == 1 {
        limit(rows, of: picture, field, drawn, as: UInt8.self)
      } else {
        limit(rows, of: picture, field, drawn, as: UInt16.self)
      }
    }
  }

  private func limit<Code: FixedWidthInteger>(
    _ rows: Range<Int>, of picture: CodedFrame, _ field: Field?, _ drawn: DrawnPixels?, as: Code.Type
  ) {
    if format.layout.planeCount == 1 {
      return unsafe picture.withPlane(0) { luma in for y in rows { unsafe clip([luma], y, drawn, as: Code.self) } }
    }
    unsafe picture.withPlane(0) { first in
      unsafe picture.withPlane(1) { second in
        unsafe picture.withPlane(2) { third in
          if format.layout.components == .rgb {
            for y in rows { unsafe clip([first, second, third], y, drawn, as: Code.self) }
          } else {
            unsafe limit(rows, first, ChromaPlanes<Code>(second, third, format, field), drawn)
          }
        }
      }
    }
  }

  private func clip<Code: FixedWidthInteger>(
    _ planes: [CodedFrame.Plane], _ y: Int, _ drawn: DrawnPixels?, as: Code.Type
  ) {
    let changes = drawn?.changes(ofRow: y)
    if drawn != nil, changes == nil { return }
    let highest = Code(limit)
    for index in unsafe planes.indices {
      let row = unsafe planes[index].row(y).assumingMemoryBound(to: Code.self)
      for x in 0..<format.size.width where changes?[x] != DrawnPixels.Change.none {
        unsafe row[x] = min(row[x], highest)
      }
    }
  }

  /// Limits luma rows. Interpolated chroma is bounded by its neighbours, so a cheap luma ceiling per neighbourhood
  /// clears most pixels; only those above it are computed exactly.
  private func limit<Code: FixedWidthInteger>(
    _ rows: Range<Int>, _ plane: CodedFrame.Plane, _ chroma: ChromaPlanes<Code>, _ drawn: DrawnPixels?
  ) {
    let (width, needed) = (format.size.width, chroma.rows(of: rows))
    let count = chroma.count
    unsafe withUnsafeTemporaryAllocation(of: Int16.self, capacity: needed.count * count + width + 2) { storage in
      guard let ceilings = storage.baseAddress else { return }
      for row in needed { unsafe chroma.fill(ceilings + (row - needed.lowerBound) * count, row, reach, limit) }
      let allowed = unsafe ceilings + needed.count * count
      for y in rows {
        let changes = drawn?.changes(ofRow: y)
        if drawn != nil, changes == nil { continue }
        let luma = unsafe plane.row(y).assumingMemoryBound(to: Code.self)
        let (first, last) = chroma.span(of: y)
        let lines = unsafe (
          ceilings + (first - needed.lowerBound) * count, ceilings + (last - needed.lowerBound) * count
        )
        unsafe chroma.spread(lines.0, lines.1, rows: last - first + 1, to: allowed)
        if let changes { unsafe release(allowed, luma, changes) }
        unsafe lower(luma, allowed, width, chroma, y, drawn)
      }
    }
  }

  /// Raises the ceilings of pixels unchanged by graphics, and of adjacent pixels whose luma alone is above the peak.
  private func release<Code: FixedWidthInteger>(
    _ allowed: UnsafeMutablePointer<Int16>, _ luma: UnsafePointer<Code>, _ changes: [DrawnPixels.Change]
  ) {
    let highest = Code(limit)
    for x in changes.indices {
      let isOwn = unsafe changes[x] == .none || changes[x] == .chroma && luma[x] > highest
      if isOwn { unsafe allowed[x] = .max }
    }
  }

  private func lower<Code: FixedWidthInteger>(
    _ luma: UnsafeMutablePointer<Code>, _ allowed: UnsafePointer<Int16>, _ width: Int, _ chroma: ChromaPlanes<Code>,
    _ y: Int, _ drawn: DrawnPixels?
  ) {
    var start = 0
    while start < width {
      let end = min(start + 64, width)
      // Negative if a pixel of the block exceeds the ceiling.
      var rest: Int16 = 0
      for x in start..<end { unsafe rest |= allowed[x] &- Int16(truncatingIfNeeded: luma[x]) }
      if rest < 0 {
        for x in start..<end where unsafe Int16(truncatingIfNeeded: luma[x]) > allowed[x] {
          let ceiling = (limit - chroma.reach(x, y, reach)).rounded(.down)
          unsafe luma[x] = min(luma[x], Code(max(Int(ceiling), lowest, drawn?.floor(x, y) ?? lowest)))
        }
      }
      start = end
    }
  }
}

/// The contribution of chroma to the largest of R', G' and B', in luma codes.
private struct ChromaReach {
  let redFromCr: Double
  let greenFromCb: Double
  let greenFromCr: Double
  let blueFromCb: Double
  let zero: Double

  init(_ matrix: YCbCrMatrix, _ codes: SampleScale) {
    let scale = codes.lumaScale / codes.chromaScale
    let (cb, cr) = (matrix.rgb(fromYCbCr: SIMD3(0, 1, 0)) * scale, matrix.rgb(fromYCbCr: SIMD3(0, 0, 1)) * scale)
    (redFromCr, greenFromCb, greenFromCr, blueFromCb) = (cr.x, cb.y, cr.y, cb.z)
    zero = codes.chromaOffset
  }

  func callAsFunction(_ cb: Double, _ cr: Double) -> Double {
    let (cb, cr) = (cb - zero, cr - zero)
    return max(redFromCr * cr, greenFromCb * cb + greenFromCr * cr, blueFromCb * cb)
  }

  @inline(__always)
  func single(_ cb: Float, _ cr: Float) -> Float {
    let (cb, cr) = (cb - Float(zero), cr - Float(zero))
    let (red, green) = (Float(redFromCr) * cr, Float(greenFromCb) * cb + Float(greenFromCr) * cr)
    let (blue, most) = (Float(blueFromCb) * cb, red > green ? red : green)
    return most > blue ? most : blue
  }
}

/// Chroma planes, subsampled or not, and their siting.
@safe
private struct ChromaPlanes<Code: FixedWidthInteger> {
  /// Number of samples in a row.
  let count: Int
  private let height: Int
  private let cb: CodedFrame.Plane
  private let cr: CodedFrame.Plane
  private let shift: (x: Int, y: Int)
  private let offset: SIMD2<Double>

  init(_ cb: CodedFrame.Plane, _ cr: CodedFrame.Plane, _ format: PixelFormat, _ field: Field?) {
    unsafe (self.cb, self.cr) = (cb, cr)
    (count, height) = unsafe (cb.size.width, cb.size.height)
    shift = (format.layout.chromaShiftX, format.layout.chromaShiftY)
    offset = format.color.chromaLocation.offset(in: field)
  }

  private func row(_ plane: CodedFrame.Plane, _ index: Int) -> UnsafePointer<Code> {
    unsafe UnsafePointer(plane.row(min(max(index, 0), height - 1)).assumingMemoryBound(to: Code.self))
  }

  /// Returns the first and last chroma row that contribute to a luma row.
  func span(of y: Int) -> (first: Int, last: Int) {
    let taps = ChromaResampling.upsampling(luma: y, shift: shift.y, offset: offset.y)
    let (first, last) = (min(taps.first, y >> shift.y), max(taps.first + taps.weights.count - 1, y >> shift.y))
    return (min(max(first, 0), height - 1), min(max(last, 0), height - 1))
  }

  /// Returns the chroma rows that contribute to luma rows.
  func rows(of luma: Range<Int>) -> Range<Int> {
    span(of: luma.lowerBound).first..<span(of: luma.upperBound - 1).last + 1
  }

  /// Computes the luma ceiling for a limit per chroma sample of a row, less one code for single-precision rounding.
  func fill(_ target: UnsafeMutablePointer<Int16>, _ index: Int, _ reach: ChromaReach, _ limit: Double) {
    let (cb, cr, limit) = unsafe (row(self.cb, index), row(self.cr, index), Float(limit) - 1)
    for column in 0..<count {
      let rest = unsafe limit - reach.single(Float(cb[column]), Float(cr[column]))
      unsafe target[column] = Int16(rest > -32_000 ? rest : -32_000)
    }
  }

  /// Takes the minimum over rows and neighbouring columns, at luma resolution.
  func spread(
    _ first: UnsafePointer<Int16>, _ last: UnsafePointer<Int16>, rows: Int, to target: UnsafeMutablePointer<Int16>
  ) {
    func least(_ column: Int) -> Int16 {
      var value = unsafe min(first[column], last[column])
      if rows > 2 { for row in 1..<rows - 1 { value = unsafe min(value, first[row * count + column]) } }
      return value
    }
    guard shift.x == 1 else {
      for column in 0..<count { unsafe target[column] = least(column) }
      return
    }
    var (before, here) = (least(0), least(0))
    for column in 0..<count {
      let after = column + 1 < count ? least(column + 1) : here
      let value = min(before, here, after)
      unsafe target[2 * column] = value
      unsafe target[2 * column + 1] = value
      (before, here) = (here, after)
    }
  }

  /// Returns the maximum contribution of chroma at a pixel, interpolated or repeated.
  func reach(_ x: Int, _ y: Int, _ reach: ChromaReach) -> Double {
    let across = ChromaResampling.upsampling(luma: x, shift: shift.x, offset: offset.x)
    let down = ChromaResampling.upsampling(luma: y, shift: shift.y, offset: offset.y)
    func mean(_ plane: CodedFrame.Plane) -> Double {
      var sum = 0.0
      for (j, rowWeight) in down.weights.enumerated() {
        let samples = unsafe row(plane, down.first + j)
        for (i, weight) in across.weights.enumerated() {
          sum += unsafe rowWeight * weight * Double(samples[min(max(across.first + i, 0), count - 1)])
        }
      }
      return sum
    }
    let (column, line) = (x >> shift.x, y >> shift.y)
    let repeated = unsafe reach(Double(row(cb, line)[column]), Double(row(cr, line)[column]))
    return unsafe max(repeated, reach(mean(cb), mean(cr)))
  }
}
