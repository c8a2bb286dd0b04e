internal import ColorScience
internal import Frames

/// The samples of a coded frame as luma and chroma signals, whatever its layout.
///
/// R'G'B' is converted to Y'CbCr with the weights of BT.2020. The bits of linear half floats are used as the signal:
/// they grow with the logarithm of light.
struct FrameSignal {
  let frame: CodedFrame
  private let offset: Float
  private let scale: Float
  private let chromaOffset: Float
  private let chromaScale: Float

  init(_ frame: CodedFrame) {
    self.frame = frame
    if frame.layout.samples == .half {
      (offset, scale, chromaOffset, chromaScale) = (0, 1 / Float(Self.infinity), 0, 1)
    } else {
      let codes = SampleScale(bitDepth: frame.layout.bitDepth, range: frame.color.range)
      (offset, scale) = (Float(codes.lumaOffset), 1 / Float(codes.lumaScale))
      (chromaOffset, chromaScale) = (Float(codes.chromaOffset), 1 / Float(codes.chromaScale))
    }
  }

  /// Bits of an infinite half float.
  private static let infinity = 0x7C00
  private static let weights = YCbCrMatrix.bt2020

  private var isRGB: Bool { frame.layout.components == .rgb }

  /// Luma at a pixel, nominally 0...1.
  func luma(x: Int, y: Int) -> Float {
    guard isRGB else { return (code(plane: 0, x: x, y: y) - offset) * scale }
    let green = code(plane: 0, x: x, y: y), blue = code(plane: 1, x: x, y: y), red = code(plane: 2, x: x, y: y)
    let weights = Self.weights
    return (Float(weights.kr) * red + Float(weights.kg) * green + Float(weights.kb) * blue - offset) * scale
  }

  private func code(plane: Int, x: Int, y: Int) -> Float {
    Float(Self.code(UInt32(truncatingIfNeeded: frame.sample(plane: plane, x: x, y: y)), frame.layout))
  }

  /// The code that a stored sample stands for.
  private static func code(_ sample: UInt32, _ layout: PixelLayout) -> UInt32 {
    guard layout.samples == .half else { return sample >> UInt32(layout.sampleShift) }
    return sample > UInt32(infinity) ? 0 : sample
  }

  /// The downscaled frame.
  func grid() -> SignalGrid {
    var grid = SignalGrid(size: frame.size, block: SignalGrid.block(of: frame.size))
    let layout = frame.layout
    let planes: [[Float]]
    if layout.components == .gray {
      let neutral = [Float](repeating: chromaOffset, count: grid.width * grid.height)
      planes = [means(plane: 0, component: 0, of: 1, grid), neutral, neutral]
    } else if isRGB || layout.packing == .planar {
      planes = (0..<3).map { means(plane: $0, component: 0, of: 1, grid) }
    } else {
      planes = [
        means(plane: 0, component: 0, of: 1, grid), means(plane: 1, component: 0, of: 2, grid),
        means(plane: 1, component: 1, of: 2, grid),
      ]
    }
    for y in 0..<grid.height {
      for x in 0..<grid.width {
        let index = y * grid.width + x
        let isWhole = (x + 1) * grid.block <= frame.size.width && (y + 1) * grid.block <= frame.size.height
        let codes = SIMD3(planes[0][index], planes[1][index], planes[2][index])
        grid.values[index] = SIMD4(signal(codes), isWhole ? 1 : 0)
      }
    }
    return grid
  }

  /// Codes of the three components, in the order of the planes, as Y', Cb and Cr.
  private func signal(_ codes: SIMD3<Float>) -> SIMD3<Float> {
    guard isRGB else {
      return SIMD3(
        (codes.x - offset) * scale, (codes.y - chromaOffset) * chromaScale, (codes.z - chromaOffset) * chromaScale)
    }
    let rgb = (SIMD3(codes.z, codes.x, codes.y) - offset) * scale
    return SIMD3<Float>(Self.weights.ycbcr(fromRGB: SIMD3<Double>(rgb)))
  }

  /// Means of the codes of a component over blocks.
  private func means(plane index: Int, component: Int, of count: Int, _ grid: SignalGrid) -> [Float] {
    let layout = frame.layout
    let isChroma = index > 0 && !isRGB
    let (shiftX, shiftY) = isChroma ? (layout.chromaShiftX, layout.chromaShiftY) : (0, 0)
    let size = layout.planeSize(index, of: frame.size)
    let columns = size.width / count
    func range(_ cell: Int, _ shift: Int, _ end: Int) -> Range<Int> {
      let from = min((cell * grid.block) >> shift, end - 1)
      return from..<min(max(((cell + 1) * grid.block) >> shift, from + 1), end)
    }
    let xs = (0..<grid.width).map { range($0, shiftX, columns) }
    var result = [Float](repeating: 0, count: grid.width * grid.height)
    var sums = [UInt32](repeating: 0, count: grid.width)
    for cell in 0..<grid.height {
      let rows = range(cell, shiftY, size.height)
      for x in 0..<grid.width { sums[x] = 0 }
      for y in rows { add(plane: index, row: y, component: component, of: count, xs, to: &sums) }
      for x in 0..<grid.width { result[cell * grid.width + x] = Float(sums[x]) / Float(rows.count * xs[x].count) }
    }
    return result
  }

  /// Adds the codes of a row to the sums of its blocks.
  private func add(
    plane index: Int, row: Int, component: Int, of count: Int, _ xs: [Range<Int>], to sums: inout [UInt32]
  ) {
    let layout = frame.layout
    unsafe frame.withPlane(index) { plane in
      let base = unsafe UnsafeRawPointer(plane.row(row))
      let samples = unsafe plane.size.width
      for cell in xs.indices {
        var sum: UInt32 = 0
        if layout.bytesPerSample == 1 {
          let codes = unsafe UnsafeRawBufferPointer(start: base, count: samples)
          for x in xs[cell] { unsafe sum += UInt32(codes[x * count + component]) }
        } else {
          let codes = unsafe UnsafeBufferPointer(start: base.assumingMemoryBound(to: UInt16.self), count: samples)
          for x in xs[cell] { unsafe sum += Self.code(UInt32(codes[x * count + component]), layout) }
        }
        sums[cell] += sum
      }
    }
  }
}
