internal import ColorScience
package import Frames
internal import SIMDShims

/// Linear light to coded rows: a last mapping, inverse transfer function, matrix, chroma to its siting, dither, quantization.
@safe
package struct BandPacker: @unchecked Sendable {
  // @unchecked and @safe: the pointer in `parameters` is into `polynomial`, which lives as long.
  package let format: PixelFormat
  private let tier: KernelTier
  private let polynomial: OctavePolynomial
  private let parameters: hr_signal
  private let mapping: LightMapping
  private let luma: Quantizer
  private let chroma: Quantizer

  package init(
    format: PixelFormat, transfer: SignalTransfer, mapping: LightMapping, dither: Bool, tier: KernelTier
  ) throws(RenderingError) {
    let layout = format.layout
    guard layout.components != .rgb, layout.packing == .planar else { throw .unsupportedTarget(layout) }
    guard let matrix = YCbCrMatrix(format.color.matrix) else { throw .unsupportedMatrix(format.color.matrix) }
    self.format = format
    self.tier = tier
    self.mapping = mapping
    let codes = SampleScale(bitDepth: layout.bitDepth, range: format.color.range)
    let mask: BlueNoise? = dither && layout.bitDepth == 8 ? .shared : nil
    luma = Quantizer(gain: codes.lumaScale, offset: codes.lumaOffset, codes: codes, mask: mask)
    chroma = Quantizer(gain: codes.chromaScale, offset: codes.chromaOffset, codes: codes, mask: mask)
    polynomial = .signal(of: transfer)
    unsafe parameters = Self.parameters(matrix, transfer, polynomial)
  }

  private static func parameters(
    _ matrix: YCbCrMatrix, _ transfer: SignalTransfer, _ polynomial: OctavePolynomial
  ) -> hr_signal {
    unsafe hr_signal(
      is_quartic_root: transfer.roots == 4 ? 1 : 0, gain: Float(1 / transfer.peak), scale: Float(polynomial.scale),
      offset: Float(OctavePolynomial.offset), octaves: polynomial.rows.base, kr: Float(matrix.kr),
      kg: Float(matrix.kg), kb: Float(matrix.kb), cb_gain: Float(0.5 / (1 - matrix.kb)),
      cr_gain: Float(0.5 / (1 - matrix.kr)))
  }

  /// Rows above and below a band that its chroma is made from too.
  package var halo: (above: Int, below: Int) {
    guard format.layout.chromaShiftY == 1 else { return (0, 0) }
    let taps = rowTaps(0)
    return (max(0, -taps.first), max(0, taps.first + taps.weights.count - 2))
  }

  /// Codes the rows `rows` of the frame, an even first row, from `band`, which has the halo besides.
  @unsafe
  package func pack(_ band: LinearBand, rows: Range<Int>, into frame: CodedFrame, using scratch: PackRows) {
    unsafe frame.withPlane(0) { y in
      unsafe frame.withPlane(1) { cb in
        unsafe frame.withPlane(2) { cr in
          for index in unsafe 0..<band.height {
            let row = unsafe band.firstRow + index
            let luma = unsafe scratch.luma.row(0)
            unsafe makeSignal(band.row(index), y: luma, cb: scratch.cb(row), cr: scratch.cr(row), scratch)
            if rows.contains(row) { unsafe quantize(self.luma, luma, y, row, phase: 0) }
            for chromaRow in completed(by: row, in: rows) {
              unsafe packChroma(chromaRow, 0, cb, scratch)
              unsafe packChroma(chromaRow, 1, cr, scratch)
            }
          }
        }
      }
    }
  }

  private func makeSignal(
    _ light: LinearBand.Row, y: UnsafeMutablePointer<Float>, cb: UnsafeMutablePointer<Float>,
    cr: UnsafeMutablePointer<Float>, _ scratch: PackRows
  ) {
    let (mapped, width) = unsafe (scratch.mapped, format.size.width)
    unsafe mapping.withParameters { unsafe tier.map($0, light, to: mapped, count: width) }
    unsafe withUnsafePointer(to: parameters) { unsafe tier.signal($0, mapped, y: y, cb: cb, cr: cr, count: width) }
  }

  private func rowTaps(_ chromaRow: Int) -> ChromaResampling.Taps {
    ChromaResampling.downsampling(
      chroma: chromaRow, shift: format.layout.chromaShiftY, offset: format.color.chromaLocation.offset.y)
  }

  /// Chroma rows of the band whose last luma row is `row`.
  private func completed(by row: Int, in rows: Range<Int>) -> Range<Int> {
    let shift = format.layout.chromaShiftY
    guard shift == 1 else { return row..<(row + 1) }
    let first = (rows.lowerBound + 1) / 2
    let end = (rows.upperBound + 1) / 2
    let last = { (chromaRow: Int) in
      let taps = rowTaps(chromaRow)
      return min(taps.first + taps.weights.count - 1, format.size.height - 1)
    }
    let candidate = min(max(row / 2 - 1, first), end)
    var start = candidate
    while start < end, last(start) < row { start += 1 }
    var stop = start
    while stop < end, last(stop) == row { stop += 1 }
    return start..<stop
  }

  private func packChroma(_ row: Int, _ component: Int, _ plane: CodedFrame.Plane, _ scratch: PackRows) {
    var values = unsafe vertical(row, component, scratch)
    if format.layout.chromaShiftX == 1 {
      let isCosited = format.color.chromaLocation.offset.x == 0
      let target = unsafe scratch.halved.row(0)
      unsafe tier.halve(values, isCosited: isCosited, to: target, count: format.size.width)
      unsafe values = unsafe target
    }
    unsafe quantize(chroma, values, plane, row, phase: 1 + component)
  }

  /// One chroma component at full width, from the rows that chroma row `chromaRow` is made of.
  private func vertical(_ chromaRow: Int, _ component: Int, _ scratch: PackRows) -> UnsafeMutablePointer<Float> {
    let taps = rowTaps(chromaRow)
    let source = { (tap: Int) -> UnsafeMutablePointer<Float> in
      let row = min(max(taps.first + tap, 0), format.size.height - 1)
      return unsafe component == 0 ? scratch.cb(row) : scratch.cr(row)
    }
    let (target, width) = unsafe (scratch.averaged.row(0), format.size.width)
    switch taps.weights.count {
    case 2: unsafe tier.average(source(0), source(1), to: target, count: width)
    case 3: unsafe tier.average(source(0), source(1), source(2), to: target, count: width)
    default: return unsafe source(0)
    }
    return unsafe target
  }

  private func quantize(
    _ quantizer: Quantizer, _ values: UnsafePointer<Float>, _ plane: CodedFrame.Plane, _ row: Int, phase: Int
  ) {
    let target = unsafe plane.row(row)
    let parameters = unsafe quantizer.parameters(row: row, phase: phase)
    if format.layout.bytesPerSample == 1 {
      unsafe tier.quantize(parameters, values, to: target.assumingMemoryBound(to: UInt8.self), count: plane.size.width)
    } else {
      unsafe tier.quantize(parameters, values, to: target.assumingMemoryBound(to: UInt16.self), count: plane.size.width)
    }
  }
}
