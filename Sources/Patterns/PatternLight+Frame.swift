internal import ColorScience
public import Frames
internal import Glibc
internal import Synchronization
internal import Threads

extension PatternLight {
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
