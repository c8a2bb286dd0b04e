internal import ColorScience
internal import Frames

/// The rows of a decoded JPEG picture as R'G'B' signals, 0 to 1; the last two are cached.
final class JPEGRows {
  /// Signals of one row.
  struct Row {
    var red: [Float]
    var green: [Float]
    var blue: [Float]
  }

  /// Two neighbours in a chroma row, and the weight of the second.
  private struct Taps {
    let first: Int
    let second: Int
    let share: Float

    /// - Parameter count: Number of samples along the axis; edge samples are repeated.
    init(luma: Int, shift: Int, offset: Double, count: Int) {
      let taps = ChromaResampling.upsampling(luma: luma, shift: shift, offset: offset)
      first = min(max(taps.first, 0), count - 1)
      second = min(max(taps.first + taps.weights.count - 1, 0), count - 1)
      share = taps.weights.count > 1 ? Float(taps.weights[1]) : 0
    }
  }

  let size: Size
  private let frame: CodedFrame
  private let scale: SampleScale
  private let matrix: YCbCrMatrix
  private let columns: [Taps]
  private var kept: [(y: Int, row: Row)] = []

  /// - Parameter frame: Planar Y'CbCr, R'G'B' or Y' only, 8 bits.
  init?(_ frame: CodedFrame) {
    let layout = frame.layout
    guard layout.bitDepth == 8, layout.packing == .planar else { return nil }
    self.frame = frame
    size = frame.size
    scale = SampleScale(bitDepth: 8, range: frame.color.range)
    // Source: JFIF 1.02 (1992), "Standards": the matrix of BT.601.
    matrix = YCbCrMatrix(frame.color.matrix) ?? .bt601
    let offset = frame.color.chromaLocation.offset.x
    let width = layout.components == .gray ? frame.size.width : layout.planeSize(1, of: frame.size).width
    columns = (0..<frame.size.width).map { Taps(luma: $0, shift: layout.chromaShiftX, offset: offset, count: width) }
  }

  func row(_ y: Int) -> Row {
    if let found = kept.first(where: { $0.y == y }) { return found.row }
    let row =
      switch frame.layout.components {
      case .rgb: rgbRow(y, planes: (2, 0, 1))
      case .gray: rgbRow(y, planes: (0, 0, 0))
      default: ycbcrRow(y)
      }
    if kept.count > 1 { kept.removeFirst() }
    kept.append((y, row))
    return row
  }

  private func rgbRow(_ y: Int, planes: (red: Int, green: Int, blue: Int)) -> Row {
    let scale = scale
    func signals(_ plane: Int) -> [Float] {
      unsafe frame.withPlane(plane) { plane in
        let source = unsafe plane.row(y).assumingMemoryBound(to: UInt8.self)
        return (0..<size.width).map { unsafe Float(scale.luma(fromCode: Int(source[$0]))) }
      }
    }
    return Row(red: signals(planes.red), green: signals(planes.green), blue: signals(planes.blue))
  }

  private func ycbcrRow(_ y: Int) -> Row {
    let blueDifferences = chromaRow(1, y)
    let redDifferences = chromaRow(2, y)
    let (lumaOffset, lumaFactor) = (Float(scale.lumaOffset), Float(1 / scale.lumaScale))
    let toRed = Float(2 * (1 - matrix.kr))
    let toBlue = Float(2 * (1 - matrix.kb))
    let (kr, kb, kg) = (Float(matrix.kr), Float(matrix.kb), Float(matrix.kg))
    var result = Row(red: [], green: [], blue: [])
    result.red.reserveCapacity(size.width)
    result.green.reserveCapacity(size.width)
    result.blue.reserveCapacity(size.width)
    unsafe frame.withPlane(0) { plane in
      let source = unsafe plane.row(y).assumingMemoryBound(to: UInt8.self)
      for (x, taps) in columns.enumerated() {
        func chroma(_ row: [Float]) -> Float { row[taps.first] + (row[taps.second] - row[taps.first]) * taps.share }
        let luma = unsafe (Float(source[x]) - lumaOffset) * lumaFactor
        let red = luma + toRed * chroma(redDifferences)
        let blue = luma + toBlue * chroma(blueDifferences)
        let green = (luma - kr * red - kb * blue) / kg
        result.red.append(min(max(red, 0), 1))
        result.green.append(min(max(green, 0), 1))
        result.blue.append(min(max(blue, 0), 1))
      }
    }
    return result
  }

  /// Chroma at the position of a luma row, in chroma columns; -0.5 to 0.5.
  private func chromaRow(_ plane: Int, _ y: Int) -> [Float] {
    let layout = frame.layout
    let (offset, factor) = (Float(scale.chromaOffset), Float(1 / scale.chromaScale))
    return unsafe frame.withPlane(plane) { plane in
      let taps = Taps(
        luma: y, shift: layout.chromaShiftY, offset: frame.color.chromaLocation.offset.y,
        count: unsafe plane.size.height)
      let first = unsafe plane.row(taps.first).assumingMemoryBound(to: UInt8.self)
      let second = unsafe plane.row(taps.second).assumingMemoryBound(to: UInt8.self)
      return unsafe (0..<plane.size.width).map { x in
        let (above, below) = unsafe (Float(first[x]), Float(second[x]))
        return (above + (below - above) * taps.share - offset) * factor
      }
    }
  }
}
