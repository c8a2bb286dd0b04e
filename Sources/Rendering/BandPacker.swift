internal import ColorScience
package import Frames
internal import SIMDShims

/// Converts linear light to coded rows: final mapping, inverse transfer function, matrix, chroma siting, dithering and
/// quantization; or to linear rows, after the mapping.
@safe
package struct BandPacker: @unchecked Sendable {
  // @unchecked and @safe: the pointer in `parameters` points into `polynomial`, which outlives it.
  package private(set) var format: PixelFormat
  private var field: Field?
  private let tier: KernelTier
  private let kernels: hr_row_kernels
  private let polynomial: PiecewisePolynomial
  private let parameters: hr_signal
  private let isFourthRoot: Bool
  /// Light of full signal in band units.
  private let full: Double
  private let mapping: ColorTransform
  /// Whether linear rows are copied unchanged.
  private let isIdentity: Bool
  private let luma: Quantizer
  private let cb: Quantizer
  private let cr: Quantizer
  /// The luma rows that contribute to chroma row 0.
  private var chromaRows: Range<Int>
  /// Asymmetry of the weights of the first and last of three such rows.
  private var chromaLean: Float

  /// Chroma this close to a code, in codes, is not dithered, so that rounding errors of grey do not become visible
  /// colour.
  private static let neutralMargin = 0x1p-6

  package init(
    format: PixelFormat, transfer: SignalTransfer, reach: Double = 1, mapping: ColorTransform?, dither: Bool,
    tier: KernelTier
  ) throws(RenderingError) {
    let layout = format.layout
    guard layout.packing == .planar, layout.bitDepth <= 12 || [.rgb, .gray].contains(layout.components) else {
      throw .unsupportedTarget(layout)
    }
    // R'G'B' needs no matrix.
    let known = layout.components == .rgb ? .bt709 : YCbCrMatrix(format.color.matrix)
    guard let matrix = known else { throw .unsupportedMatrix(format.color.matrix) }
    self.format = format
    self.tier = tier
    unsafe kernels = tier.kernels
    isFourthRoot = transfer.rootPower == 4
    // The kernels code full signal as 1.
    full = transfer.peak(reach: reach)
    self.mapping = (mapping ?? .identity).scaled(by: 1 / full)
    isIdentity = mapping == nil && transfer.peak == 1
    let codes = SampleScale(bitDepth: layout.bitDepth, range: format.color.range)
    let mask: BlueNoise? = dither && layout.bitDepth == 8 ? .shared : nil
    luma = Quantizer(gain: codes.lumaScale, offset: codes.lumaOffset, codes: codes, mask: mask)
    // C'b = (B' - Y') / (2 (1 - KB)) and C'r alike. Source: H.273 (07/2021), 8.3, equations 39 and 40.
    let gains = SIMD2(0.5 / (1 - matrix.kb), 0.5 / (1 - matrix.kr)) * codes.chromaScale
    cb = Quantizer(gain: gains.x, offset: codes.chromaOffset, codes: codes, mask: mask, margin: Self.neutralMargin)
    cr = Quantizer(gain: gains.y, offset: codes.chromaOffset, codes: codes, mask: mask, margin: Self.neutralMargin)
    (chromaRows, chromaLean) = Self.chromaRows(format, field: nil)
    polynomial = .signal(of: transfer, reach: reach, for: tier)
    unsafe parameters = Self.parameters(matrix, polynomial)
  }

  /// Returns the packer of one field, for pictures of half the height, whose chroma keeps its position in the frame.
  package func field(_ field: Field) -> BandPacker {
    var result = self
    result.format.size.height /= 2
    result.field = field
    (result.chromaRows, result.chromaLean) = Self.chromaRows(format, field: field)
    return result
  }

  private static func chromaRows(_ format: PixelFormat, field: Field?) -> (Range<Int>, Float) {
    let taps = ChromaResampling.downsampling(
      chroma: 0, shift: format.layout.chromaShiftY, offset: format.color.chromaLocation.offset(in: field).y)
    let lean = taps.weights.count == 3 ? (taps.weights[2] - taps.weights[0]) / 2 : 0
    return (taps.first..<(taps.first + taps.weights.count), Float(lean))
  }

  private static func parameters(
    _ matrix: YCbCrMatrix, _ polynomial: PiecewisePolynomial
  ) -> hr_signal {
    unsafe hr_signal(
      gain: Float(polynomial.scale), offset: Float(polynomial.offset),
      polynomial: polynomial.parameters, kr: Float(matrix.kr), kg: Float(matrix.kg), kb: Float(matrix.kb))
  }

  /// Rows above and below a band that contribute to its chroma.
  package var halo: BandHalo {
    guard format.layout.chromaShiftY == 1 else { return .none }
    return BandHalo(above: max(0, -chromaRows.lowerBound), below: max(0, chromaRows.upperBound - 2))
  }

  /// Whether `pack` changes the light of a band: linear samples are mapped in place.
  var changesLight: Bool { format.layout.samples == .half && !isIdentity }

  /// Codes `rows` of the frame, which start at an even row, from `band`, which also has the halo.
  /// - Parameters:
  ///   - overlay: Graphics blended over the codes, by rows and columns of the frame.
  ///   - origin: Position of the picture in the dither mask.
  @unsafe
  package func pack(
    _ band: LinearBand, rows: Range<Int>, into frame: CodedFrame, under overlay: LightOverlay? = nil,
    dither origin: MaskOrigin = MaskOrigin(), using scratch: PackRows
  ) {
    precondition(overlay == nil || format.layout.samples == .integer)
    (scratch.origin, scratch.overlay) = (origin, overlay)
    switch format.layout.components {
    case .rgb: break
    case .gray: return unsafe packGray(band, rows: rows, into: frame, scratch)
    default: return unsafe packYCbCr(band, rows: rows, into: frame, scratch)
    }
    unsafe frame.withPlane(0) { green in
      unsafe frame.withPlane(1) { blue in
        unsafe frame.withPlane(2) { red in
          let planes = unsafe [red, green, blue]
          for index in unsafe 0..<band.height {
            let (light, row) = unsafe (band.row(index), band.firstRow + index)
            guard rows.contains(row) else { continue }
            if format.layout.samples == .half {
              unsafe packLight(light, planes, row)
            } else {
              unsafe packRGB(light, planes, row, scratch)
            }
          }
        }
      }
    }
  }

  private func packLight(_ light: LinearBand.Row, _ planes: [CodedFrame.Plane], _ row: Int) {
    let width = format.size.width
    if !isIdentity { unsafe mapping.withParameters(tier) { unsafe kernels.map($0, light.kernelRows, width) } }
    for unsafe(plane, source) in unsafe zip(planes, [light.red, light.green, light.blue]) {
      unsafe plane.row(row).assumingMemoryBound(to: Float16.self).update(from: source, count: width)
    }
  }

  private func packRGB(_ light: LinearBand.Row, _ planes: [CodedFrame.Plane], _ row: Int, _ scratch: PackRows) {
    let signal = unsafe scratch.signal(row)
    unsafe makeRoots(light.kernelRows, row, scratch)
    unsafe withUnsafePointer(to: parameters) {
      unsafe kernels.component_signal($0, scratch.roots, signal, format.size.width)
    }
    for unsafe(index, (plane, values)) in unsafe zip(planes, [signal.first, signal.second, signal.third]).enumerated() {
      unsafe quantize(luma, values, plane, row, phase: index, scratch.origin)
    }
  }

  private func packYCbCr(_ band: LinearBand, rows: Range<Int>, into frame: CodedFrame, _ scratch: PackRows) {
    unsafe frame.withPlane(0) { y in
      unsafe frame.withPlane(1) { cb in
        unsafe frame.withPlane(2) { cr in
          for index in unsafe 0..<band.height {
            let row = unsafe packLuma(band, index, rows: rows, y, scratch)
            for chromaRow in completed(by: row, in: rows) {
              unsafe packChroma(chromaRow, 0, cb, scratch)
              unsafe packChroma(chromaRow, 1, cr, scratch)
            }
          }
        }
      }
    }
  }

  private func packGray(_ band: LinearBand, rows: Range<Int>, into frame: CodedFrame, _ scratch: PackRows) {
    unsafe frame.withPlane(0) { y in
      for index in unsafe 0..<band.height { _ = unsafe packLuma(band, index, rows: rows, y, scratch) }
    }
  }

  /// Computes the signal of a row of a band, and its luma if it is one of `rows`.
  /// - Returns: The row in the frame.
  private func packLuma(
    _ band: LinearBand, _ index: Int, rows: Range<Int>, _ plane: CodedFrame.Plane, _ scratch: PackRows
  ) -> Int {
    let row = unsafe band.firstRow + index
    let signal = unsafe scratch.signal(row)
    unsafe makeSignal(band.row(index).kernelRows, row, signal, scratch)
    if rows.contains(row) { unsafe quantize(luma, signal.first, plane, row, phase: 0, scratch.origin) }
    return row
  }

  private func makeSignal(_ light: hr_light_rows, _ row: Int, _ signal: hr_float_rows, _ scratch: PackRows) {
    unsafe makeRoots(light, row, scratch)
    unsafe withUnsafePointer(to: parameters) { unsafe kernels.signal($0, scratch.roots, signal, format.size.width) }
  }

  private func makeRoots(_ light: hr_light_rows, _ row: Int, _ scratch: PackRows) {
    unsafe mapping.withParameters(tier) {
      unsafe kernels.map_to_roots($0, light, scratch.roots, isFourthRoot ? 1 : 0, format.size.width)
    }
    guard let overlay = scratch.overlay else { return }
    let frameRow = field.map { 2 * row + $0.rawValue } ?? row
    unsafe overlay.blend(
      frameRow, into: scratch.roots, isFourthRoot: isFourthRoot, width: format.size.width, full: full)
  }

  /// Returns the chroma rows of the band whose last luma row is `row`.
  private func completed(by row: Int, in rows: Range<Int>) -> Range<Int> {
    guard format.layout.chromaShiftY == 1 else { return row..<(row + 1) }
    let band = (rows.lowerBound + 1) / 2..<(rows.upperBound + 1) / 2
    // Chroma row n ends with luma row 2n + upperBound - 1; the last row of the frame is repeated below it.
    let distance = row - (chromaRows.upperBound - 1)
    let first = (distance + 1) >> 1
    let isLast = row == format.size.height - 1
    let end = isLast ? band.upperBound : distance & 1 == 0 ? first + 1 : first
    return (first..<max(first, end)).clamped(to: band)
  }

  private func packChroma(_ row: Int, _ component: Int, _ plane: CodedFrame.Plane, _ scratch: PackRows) {
    let source = { (tap: Int) -> UnsafeMutablePointer<Float> in
      let luma = (row << format.layout.chromaShiftY) + chromaRows.lowerBound + tap
      let frameRow = min(max(luma, 0), format.size.height - 1)
      return unsafe component == 0 ? scratch.cb(frameRow) : scratch.cr(frameRow)
    }
    var values = unsafe source(0)
    if format.layout.chromaShiftX == 1 {
      let count = chromaRows.count
      let filter = unsafe hr_row_filter(
        first: values, second: source(min(1, count - 1)), third: source(min(2, count - 1)), count: Int32(count),
        lean: chromaLean)
      let reduced = unsafe scratch.reduced.row(0)
      let isCosited = format.color.chromaLocation.offset.x == 0
      unsafe kernels.reduce(filter, isCosited ? 1 : 0, reduced, format.size.width)
      unsafe values = reduced
    }
    unsafe quantize(component == 0 ? cb : cr, values, plane, row, phase: 1 + component, scratch.origin)
  }

  private func quantize(
    _ quantizer: Quantizer, _ values: UnsafePointer<Float>, _ plane: CodedFrame.Plane, _ row: Int, phase: Int,
    _ origin: MaskOrigin
  ) {
    let target = unsafe plane.row(row)
    let parameters = unsafe quantizer.parameters(row: row, phase: phase, origin: origin)
    if format.layout.bytesPerSample == 1 {
      unsafe kernels.quantize8(parameters, values, target.assumingMemoryBound(to: UInt8.self), plane.size.width)
    } else {
      unsafe kernels.quantize16(parameters, values, target.assumingMemoryBound(to: UInt16.self), plane.size.width)
    }
  }
}
