internal import ColorScience
internal import Frames

/// Composites a Y'CbCr picture with alpha at full chroma resolution, then subsamples chroma again.
final class ChromaCompositor {
  private let compositor: AlphaCompositor
  private let matrix: YCbCrMatrix
  private let scale: SampleScale
  private let alpha: AlphaPlane
  private let frame: CodedFrame
  private let chromaSize: Size
  private let offset: SIMD2<Double>
  /// The original Cb and Cr.
  private let original: [[Float]]
  /// Luma rows that contain pixels that are not opaque.
  private let isTouched: [Bool]
  /// Rows of the result whose chroma is still needed.
  private var rows: [Int: Row] = [:]

  /// Cb and Cr of a row at full resolution.
  private struct Row {
    var cb: [Double]
    var cr: [Double]
  }

  init(
    _ compositor: AlphaCompositor, _ matrix: YCbCrMatrix, _ scale: SampleScale, _ alpha: AlphaPlane,
    _ frame: CodedFrame, _ field: Field?
  ) {
    (self.compositor, self.matrix, self.scale, self.alpha, self.frame) = (compositor, matrix, scale, alpha, frame)
    let size = frame.layout.planeSize(1, of: frame.size)
    chromaSize = size
    offset = frame.color.chromaLocation.offset(in: field)
    original = [1, 2].map { plane in
      (0..<size.width * size.height).map { index in
        Float(scale.chroma(fromCode: frame.sample(plane: plane, x: index % size.width, y: index / size.width)))
      }
    }
    isTouched = (0..<frame.size.height).map { !alpha.isOpaque(row: $0) }
  }

  func run() {
    let (width, height) = (frame.size.width, frame.size.height)
    let (shiftX, shiftY) = (frame.layout.chromaShiftX, frame.layout.chromaShiftY)
    for y in 0..<chromaSize.height {
      let taps = ChromaResampling.downsampling(chroma: y, shift: shiftY, offset: offset.y)
      let needed = taps.weights.indices.map { min(max(taps.first + $0, 0), height - 1) }
      let own = y << shiftY..<min((y + 1) << shiftY, height)
      guard (needed + own).contains(where: { isTouched[$0] }) else { continue }
      for row in Set(needed + own).sorted() where rows[row] == nil { rows[row] = compositedRow(row) }
      for x in 0..<chromaSize.width {
        let columns = ChromaResampling.downsampling(chroma: x, shift: shiftX, offset: offset.x)
        let near = columns.weights.indices.map { min(max(columns.first + $0, 0), width - 1) }
        guard needed.contains(where: { row in near.contains { alpha[$0, row] < 1 } }) else { continue }
        store(x, y, rows: zip(needed, taps.weights), columns: zip(near, columns.weights))
      }
      rows = rows.filter { $0.key > (y << shiftY) }
    }
  }

  private func store(
    _ x: Int, _ y: Int, rows weightedRows: Zip2Sequence<[Int], [Double]>, columns: Zip2Sequence<[Int], [Double]>
  ) {
    var (cb, cr) = (0.0, 0.0)
    for (row, rowWeight) in weightedRows {
      guard let values = rows[row] else { continue }
      for (column, columnWeight) in columns {
        cb += rowWeight * columnWeight * values.cb[column]
        cr += rowWeight * columnWeight * values.cr[column]
      }
    }
    frame.setSample(scale.code(fromChroma: cb), plane: 1, x: x, y: y)
    frame.setSample(scale.code(fromChroma: cr), plane: 2, x: x, y: y)
  }

  /// Writes the luma of a row to the frame, and returns its chroma.
  private func compositedRow(_ y: Int) -> Row {
    let width = frame.size.width
    var row = Row(cb: [], cr: [])
    for x in 0..<width {
      var (cb, cr) = (chroma(0, x, y), chroma(1, x, y))
      let share = Double(alpha[x, y])
      if share < 1 {
        let luma = scale.luma(fromCode: frame.sample(plane: 0, x: x, y: y))
        let rgb = compositor.composite(matrix.rgb(fromYCbCr: SIMD3(luma, cb, cr)), share)
        let result = matrix.ycbcr(fromRGB: rgb)
        frame.setSample(scale.code(fromLuma: result.x), plane: 0, x: x, y: y)
        (cb, cr) = (result.y, result.z)
      }
      row.cb.append(cb)
      row.cr.append(cr)
    }
    return row
  }

  private func chroma(_ component: Int, _ x: Int, _ y: Int) -> Double {
    let (plane, width) = (original[component], chromaSize.width)
    return ChromaResampling.upsample(
      x: x, y: y, width: width, height: chromaSize.height, shiftX: frame.layout.chromaShiftX,
      shiftY: frame.layout.chromaShiftY, offset: offset
    ) { Double(plane[$1 * width + $0]) }
  }
}
