internal import ColorScience
package import Frames
internal import SIMDShims

/// How subsampled chroma is upsampled.
public enum ChromaUpsampling: Sendable, Hashable, CaseIterable {
  /// Linear interpolation between samples, with the siting of H.273.
  case bilinear
  /// Each sample is repeated for the pixels that share it, as in fast decoders.
  case nearest
}

/// Converts coded rows to linear light: chroma upsampling, matrix, transfer function. Linear rows only change their
/// unit. Models other than Y'CbCr with constant weights, R'G'B' and grey are left to `ComponentRows`.
@safe
package struct BandUnpacker: @unchecked Sendable {
  // @unchecked and @safe: the pointer in `parameters` points into `polynomial`, which outlives it.
  package let format: PixelFormat
  private let reading: ChromaUpsampling
  /// Vertical position of chroma row 0 in luma rows.
  private let chromaOffset: Double
  /// Sum of the weights of two chroma rows. Chroma samples carry four times this factor after upsampling, which is
  /// exact in integers: 16 · 4095 and 32 · 1023 fit in 16 bits.
  private let weightUnit: UInt16
  private let kernels: hr_row_kernels
  private let tier: KernelTier
  /// From sample units to band units; nil: they are the same.
  private let unit: ColorTransform?
  private let polynomial: PiecewisePolynomial
  private let parameters: hr_linearization
  /// nil: the kernels support the model.
  private let components: ComponentRows?

  /// - Parameters:
  ///   - format: Format of the pictures; a field is half as high as its frame.
  ///   - field: The field that the pictures are; its chroma keeps its position in the frame. At twelve bits, the
  ///     weights of 4:2:0 rows are then rounded to quarters.
  package init(
    format: PixelFormat, field: Field? = nil, transfer: SignalTransfer, reading: ChromaUpsampling = .bilinear,
    tier: KernelTier
  ) throws(RenderingError) {
    let layout = format.layout
    let isReadable =
      switch layout.components {
      case .gray: (8...16).contains(layout.bitDepth)
      case .rgb: [8, 10, 12, 16].contains(layout.bitDepth)
      default: [8, 10, 12].contains(layout.bitDepth)
      }
    if !isReadable { throw .unsupportedSource(layout) }
    let model = try format.componentModel()
    self.format = format
    self.tier = tier
    self.reading = reading
    unit = transfer.peak == 1 ? nil : ColorTransform(tone: .scale(transfer.peak), gamut: .keep)
    chromaOffset = format.color.chromaLocation.offset(in: field).y
    weightUnit = field == nil || format.layout.bitDepth > 10 ? 4 : 8
    unsafe kernels = tier.kernels
    let reach = transfer.reach(in: format.color.range)
    polynomial = .light(of: transfer, reach: reach, for: tier)
    let chromaScale = layout.chromaShiftX == 1 ? 4 * Double(weightUnit) : 1
    components = ComponentRows(model, format: format, transfer: transfer, reach: reach, chromaScale: chromaScale)
    unsafe parameters = Self.parameters(
      model, format: format, reach: reach, chromaScale: chromaScale, rootPower: transfer.rootPower,
      polynomial: polynomial)
  }

  private static func parameters(
    _ model: ComponentModel, format: PixelFormat, reach: Double, chromaScale: Double, rootPower: Double,
    polynomial: PiecewisePolynomial
  ) -> hr_linearization {
    let layout = format.layout
    let codes = SampleScale(bitDepth: layout.bitDepth, range: format.color.range)
    let step = polynomial.scale / reach
    let lumaGain = step / codes.lumaScale
    let black = polynomial.offset - lumaGain * codes.lumaOffset
    var result = unsafe hr_linearization()
    unsafe result.is_fourth_power = rootPower == 4 ? 1 : 0
    unsafe result.polynomial = polynomial.parameters
    unsafe result.lowest = polynomial.lowest
    unsafe result.highest = polynomial.highest
    unsafe result.luma_gain = Float(lumaGain / Double(1 << layout.sampleShift))
    guard case .ycbcr(let matrix) = model else {
      unsafe result.red_offset = Float(black)
      return unsafe result
    }
    // Columns of the inverse matrix: the contributions of one unit of Cb or Cr to R', G' and B'.
    let cb = matrix.rgb(fromYCbCr: SIMD3(0, 1, 0)) * step / codes.chromaScale
    let cr = matrix.rgb(fromYCbCr: SIMD3(0, 0, 1)) * step / codes.chromaScale
    let zero = codes.chromaOffset
    unsafe result.red_offset = Float(black - cr.x * zero)
    unsafe result.green_offset = Float(black - (cb.y + cr.y) * zero)
    unsafe result.blue_offset = Float(black - cb.z * zero)
    unsafe result.red_from_cr = Float(cr.x / chromaScale)
    unsafe result.green_from_cb = Float(cb.y / chromaScale)
    unsafe result.green_from_cr = Float(cr.y / chromaScale)
    unsafe result.blue_from_cb = Float(cb.z / chromaScale)
    return unsafe result
  }

  /// Returns unpackers of the top and bottom field of frames of `format`; nil if the height does not divide into
  /// fields.
  package static func fields(
    of format: PixelFormat, transfer: SignalTransfer, reading: ChromaUpsampling = .bilinear, tier: KernelTier
  ) throws(RenderingError) -> (BandUnpacker, BandUnpacker)? {
    guard format.layout.dividesIntoFields(height: format.size.height) else { return nil }
    var half = format
    half.size.height /= 2
    return (
      try BandUnpacker(format: half, field: .top, transfer: transfer, reading: reading, tier: tier),
      try BandUnpacker(format: half, field: .bottom, transfer: transfer, reading: reading, tier: tier)
    )
  }

  /// Fills `band` with the corresponding rows of `frame`.
  @unsafe
  package func unpack(_ frame: CodedFrame, into band: LinearBand, using rows: UnpackRows) {
    rows.forget()
    if format.layout.components == .gray { return unsafe unpackGray(frame, into: band, using: rows) }
    unsafe frame.withPlane(0) { first in
      unsafe frame.withPlane(min(1, frame.layout.planeCount - 1)) { second in
        unsafe frame.withPlane(frame.layout.planeCount - 1) { third in
          unsafe withUnsafePointer(to: parameters) { parameters in
            for index in unsafe 0..<band.height {
              let y = unsafe band.firstRow + index * band.rowStep
              if format.layout.components == .rgb {
                let source = unsafe (red: third, green: first, blue: second)
                if format.layout.samples == .half {
                  unsafe copyLight(source, y, band.row(index))
                } else if format.layout.isPacked {
                  unsafe unpackPackedRGB(first, y, band.row(index), rows, parameters)
                } else {
                  unsafe unpackRGB(source, y, band.row(index), rows, parameters)
                }
              } else {
                let stored =
                  unsafe format.layout.isPacked
                  ? divide(first, row: y, rows) : words(first, row: y, in: rows.luma.row(0))
                let luma = unsafe significant(stored, rows.luma.row(0))
                let (cb, cr) = unsafe chroma(y, second, third, rows)
                if let components {
                  let words = unsafe ComponentRows.Words(luma: luma, cb: cb, cr: cr)
                  unsafe components.linearize(words, into: band.row(index), count: format.size.width)
                } else {
                  unsafe kernels.linearize_ycbcr(
                    parameters, luma, cb, cr, band.row(index).kernelRows, format.size.width)
                }
              }
            }
          }
        }
      }
    }
  }

  /// Y' becomes R', G' and B', with any matrix.
  private func unpackGray(_ frame: CodedFrame, into band: LinearBand, using rows: UnpackRows) {
    let width = format.size.width
    unsafe frame.withPlane(0) { plane in
      unsafe withUnsafePointer(to: parameters) { parameters in
        for index in unsafe 0..<band.height {
          let light = unsafe band.row(index)
          unsafe kernels.linearize_component(
            parameters, words(plane, row: band.firstRow + index * band.rowStep, in: rows.luma.row(0)), light.red, width)
          unsafe light.green.update(from: light.red, count: width)
          unsafe light.blue.update(from: light.red, count: width)
        }
      }
    }
  }

  private func copyLight(
    _ source: (red: CodedFrame.Plane, green: CodedFrame.Plane, blue: CodedFrame.Plane), _ y: Int,
    _ light: LinearBand.Row
  ) {
    let width = format.size.width
    for unsafe(plane, row) in unsafe [(source.red, light.red), (source.green, light.green), (source.blue, light.blue)] {
      unsafe row.update(from: plane.row(y).assumingMemoryBound(to: Float16.self), count: width)
    }
    guard let unit else { return }
    unsafe unit.withParameters(tier) { unsafe kernels.map($0, light.kernelRows, width) }
  }

  private func unpackRGB(
    _ source: (red: CodedFrame.Plane, green: CodedFrame.Plane, blue: CodedFrame.Plane), _ y: Int,
    _ light: LinearBand.Row, _ rows: UnpackRows, _ parameters: UnsafePointer<hr_linearization>
  ) {
    let (width, scratch) = unsafe (format.size.width, rows.luma.row(0))
    unsafe kernels.linearize_component(
      parameters, words(source.red, row: y, in: scratch), light.red, width)
    unsafe kernels.linearize_component(
      parameters, words(source.green, row: y, in: scratch), light.green, width)
    unsafe kernels.linearize_component(
      parameters, words(source.blue, row: y, in: scratch), light.blue, width)
  }

  private func unpackPackedRGB(
    _ plane: CodedFrame.Plane, _ y: Int, _ light: LinearBand.Row, _ rows: UnpackRows,
    _ parameters: UnsafePointer<hr_linearization>
  ) {
    let (width, scratch) = unsafe (format.size.width, rows.luma.row(0))
    let source = unsafe words(plane, row: y, in: rows.packed.row(0))
    for unsafe(component, row) in unsafe [(0, light.green), (1, light.blue), (2, light.red)] {
      let place = format.layout.place(of: component)
      unsafe kernels.pick(source + place.first, Int32(place.step), scratch, width)
      unsafe kernels.linearize_component(parameters, scratch, row, width)
    }
  }

  /// Splits a packed row of 4:2:2 into luma, returned as stored, and chroma of the row's slot.
  private func divide(_ plane: CodedFrame.Plane, row y: Int, _ rows: UnpackRows) -> UnsafePointer<UInt16> {
    let slot = rows.slot(of: y).index
    let (luma, pairs) = unsafe (rows.luma.row(0), rows.packed.row(1))
    let (even, odd) = unsafe format.layout.packing == .yuyv ? (luma, pairs) : (pairs, luma)
    let columns = unsafe plane.size.width / 2
    unsafe kernels.split(words(plane, row: y, in: rows.packed.row(0)), 0, even, odd, columns)
    unsafe kernels.split(
      pairs, Int32(format.layout.sampleShift), rows.coded.row(3 * slot), rows.coded.row(3 * slot + 1), columns / 2)
    return unsafe UnsafePointer(luma)
  }

  /// Returns luma without the bits below its samples, which some drivers and converters fill. Chroma loses them when it
  /// is split.
  private func significant(
    _ words: UnsafePointer<UInt16>, _ scratch: UnsafeMutablePointer<UInt16>
  ) -> UnsafePointer<UInt16> {
    let shift = format.layout.sampleShift
    guard shift > 0 else { return unsafe words }
    let mask = UInt16.max << UInt16(shift)
    for x in 0..<format.size.width { unsafe scratch[x] = words[x] & mask }
    return unsafe UnsafePointer(scratch)
  }

  /// Returns a row of a plane as 16-bit words: in place, or widened into `scratch`.
  private func words(
    _ plane: CodedFrame.Plane, row y: Int, in scratch: UnsafeMutablePointer<UInt16>
  ) -> UnsafePointer<UInt16> {
    let row = unsafe plane.row(y)
    if format.layout.bytesPerSample == 2 { return unsafe UnsafePointer(row.assumingMemoryBound(to: UInt16.self)) }
    unsafe kernels.widen(row.assumingMemoryBound(to: UInt8.self), scratch, plane.size.width)
    return unsafe UnsafePointer(scratch)
  }

  /// Returns Cb and Cr at the luma positions of row `y`.
  private func chroma(
    _ y: Int, _ second: CodedFrame.Plane, _ third: CodedFrame.Plane, _ rows: UnpackRows
  ) -> (UnsafePointer<UInt16>, UnsafePointer<UInt16>) {
    let layout = format.layout
    guard layout.chromaShiftX == 1 else { return unsafe coded(y, second, third, rows) }
    let vertical =
      reading == .nearest
      ? (above: y >> layout.chromaShiftY, below: y >> layout.chromaShiftY, weights: (weightUnit, 0))
      : ChromaWeights.rows(
        of: y, shift: layout.chromaShiftY, offset: chromaOffset,
        count: layout.planeSize(1, of: format.size).height, unit: weightUnit)
    let above = unsafe coded(vertical.above, second, third, rows)
    let below = unsafe coded(vertical.below, second, third, rows)
    return unsafe (
      upsample(above.0, below.0, vertical.weights, to: rows.upsampled.row(0)),
      upsample(above.1, below.1, vertical.weights, to: rows.upsampled.row(1))
    )
  }

  private func upsample(
    _ above: UnsafePointer<UInt16>, _ below: UnsafePointer<UInt16>, _ weights: (UInt16, UInt16),
    to target: UnsafeMutablePointer<UInt16>
  ) -> UnsafePointer<UInt16> {
    let source = unsafe hr_chroma_rows(
      above: above, below: below, weight_above: weights.0, weight_below: weights.1)
    let siting: Int32 = reading == .nearest ? 2 : format.color.chromaLocation.offset.x == 0 ? 1 : 0
    unsafe kernels.upsample(source, siting, target, (format.size.width + 1) / 2)
    return unsafe UnsafePointer(target)
  }

  /// Returns Cb and Cr of a coded chroma row as 16-bit words.
  private func coded(
    _ index: Int, _ second: CodedFrame.Plane, _ third: CodedFrame.Plane, _ rows: UnpackRows
  ) -> (UnsafePointer<UInt16>, UnsafePointer<UInt16>) {
    let layout = format.layout
    if layout.packing == .planar, layout.bytesPerSample == 2 {
      return unsafe (words(second, row: index, in: rows.luma.row(0)), words(third, row: index, in: rows.luma.row(0)))
    }
    let slot = rows.slot(of: index)
    let (cb, cr) = unsafe (rows.coded.row(3 * slot.index), rows.coded.row(3 * slot.index + 1))
    if !slot.isFilled {
      precondition(!layout.isPacked, "A packed row is divided first.")
      if layout.packing == .planar {
        _ = unsafe words(second, row: index, in: cb)
        _ = unsafe words(third, row: index, in: cr)
      } else {
        let pairs = unsafe words(second, row: index, in: rows.coded.row(3 * slot.index + 2))
        unsafe kernels.split(pairs, Int32(layout.sampleShift), cb, cr, second.size.width / 2)
      }
    }
    return unsafe (UnsafePointer(cb), UnsafePointer(cr))
  }
}
