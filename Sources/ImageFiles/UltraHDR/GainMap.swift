internal import ColorScience
internal import Frames
internal import Glibc

/// Applies a gain map to the rows of its base picture.
struct GainMap {
  private let rows: JPEGRows
  private let size: Size
  private let metadata: GainMapMetadata
  private let weight: Double
  /// Map positions of each column of the base picture.
  private let columns: [Position]

  /// Two neighbours on an axis of the map, and the weight of the second.
  private struct Position {
    let first: Int
    let second: Int
    let share: Float

    /// - Parameters:
    ///   - index: Index of a sample of the base picture; its centre has the same relative position in the map.
    ///   - count: Number of samples of the base picture.
    ///   - mapCount: Number of samples of the map; edge samples are repeated.
    init(_ index: Int, of count: Int, in mapCount: Int) {
      let position = (Double(index) + 0.5) * Double(mapCount) / Double(count) - 0.5
      let start = position.rounded(.down)
      first = min(max(Int(start), 0), mapCount - 1)
      second = min(max(Int(start) + 1, 0), mapCount - 1)
      share = Float(position - start)
    }

    /// - Parameter share: The weight of `below`.
    func value(_ above: [Float], _ below: [Float], _ share: Float) -> Float {
      func value(_ row: [Float]) -> Float { row[first] + (row[second] - row[first]) * self.share }
      let top = value(above)
      return top + (value(below) - top) * share
    }
  }

  /// - Parameters:
  ///   - size: Size of the base picture.
  ///   - weight: From `GainMapMetadata.weight(headroom:)`.
  init(_ rows: JPEGRows, _ metadata: GainMapMetadata, size: Size, weight: Double) {
    (self.rows, self.size, self.metadata, self.weight) = (rows, size, metadata, weight)
    columns = (0..<size.width).map { Position($0, of: size.width, in: rows.size.width) }
  }

  /// Applies the map to a row of linear light in place. Source: ISO 21496-1 (2025), 6.2.
  func apply(to row: inout JPEGRows.Row, y: Int) {
    let position = Position(y, of: size.height, in: rows.size.height)
    let above = rows.row(position.first)
    let below = rows.row(position.second)
    apply(to: &row.red, 0, above.red, below.red, position.share)
    apply(to: &row.green, 1, above.green, below.green, position.share)
    apply(to: &row.blue, 2, above.blue, below.blue, position.share)
  }

  private func apply(to light: inout [Float], _ channel: Int, _ above: [Float], _ below: [Float], _ share: Float) {
    if metadata.isLinear { return applyLinearly(to: &light, above, below, share) }
    let lowest = Float(metadata.min[channel] * weight)
    let span = Float(metadata.max[channel] * weight) - lowest
    let exponent = Float(1 / metadata.gamma[channel])
    let baseOffset = Float(metadata.baseOffset[channel])
    let alternateOffset = Float(metadata.alternateOffset[channel])
    for (x, column) in columns.enumerated() {
      let code = column.value(above, below, share)
      let share = exponent == 1 ? code : pow(max(code, 0), exponent)
      light[x] = (light[x] + baseOffset) * exp2(lowest + span * share) - alternateOffset
    }
  }

  /// Source: Apple, "Applying Apple HDR effect to your photos": the map is coded by the curve of BT.709.
  private func applyLinearly(to light: inout [Float], _ above: [Float], _ below: [Float], _ share: Float) {
    let added = Float(exp2(metadata.max[0] * weight) - 1)
    for (x, column) in columns.enumerated() {
      let code = Double(column.value(above, below, share))
      light[x] *= 1 + added * Float(BT709Transfer.inverseOETF(code))
    }
  }
}

/// The brightest pixel, and the mean of the brightest component, of a picture of linear light.
struct LightSum {
  private var brightest: Float = 0
  private var sum = 0.0
  private var pixels = 0

  mutating func count(_ row: JPEGRows.Row) {
    for x in row.red.indices {
      let level = max(row.red[x], row.green[x], row.blue[x], 0)
      brightest = max(brightest, level)
      sum += Double(level)
    }
    pixels += row.red.count
  }

  /// - Parameter white: Luminance of 1.0 in cd/m².
  func contentLight(white: Double) -> ContentLight {
    ContentLight(roundingUp: Double(brightest) * white, maxFALL: sum / Double(max(pixels, 1)) * white)
  }
}

/// Converts the signals of a base picture to linear light in the primaries that the gain map is applied in.
struct BaseLinearizer {
  private static let steps = 4096
  /// sRGB at equal steps of the signal; linear interpolation has an error below 1e-7.
  private static let table = (0...steps + 1).map { Float(SRGB.eotf(Double($0) / Double(steps))) }

  /// Conversion to the primaries of the gain map; nil: the base has these primaries.
  private let matrix: Matrix3?

  init(from base: ColorPrimaries, to target: ColorPrimaries) {
    guard base != target, let from = base.space, let to = target.space else {
      matrix = nil
      return
    }
    matrix = RGBSpace.conversion(from: from, to: to)
  }

  func linearize(_ row: JPEGRows.Row) -> JPEGRows.Row {
    var result = JPEGRows.Row(
      red: row.red.map(Self.light), green: row.green.map(Self.light), blue: row.blue.map(Self.light))
    guard let matrix else { return result }
    for x in result.red.indices {
      let light = matrix * SIMD3(Double(result.red[x]), Double(result.green[x]), Double(result.blue[x]))
      (result.red[x], result.green[x], result.blue[x]) = (Float(light.x), Float(light.y), Float(light.z))
    }
    return result
  }

  private static func light(_ signal: Float) -> Float {
    let position = signal * Float(steps)
    let index = Int(position)
    return table[index] + (table[index + 1] - table[index]) * (position - Float(index))
  }
}

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
