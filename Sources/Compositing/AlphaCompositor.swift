internal import ColorScience
package import Frames
internal import Glibc
internal import Media

/// Composites pictures with alpha over a background colour in linear light.
///
/// Opaque pixels keep their samples. Chroma is resampled only where a pixel that shares it is not opaque. Source:
/// Porter and Duff, "Compositing Digital Images" (SIGGRAPH 1984), "over".
package struct AlphaCompositor {
  private let format: PixelFormat
  private let isPremultiplied: Bool
  private let curve: SignalLight
  private let scale: SampleScale
  let matrix: YCbCrMatrix?
  /// Light behind the picture in its own primaries; 1 is reference white.
  private let background: SIMD3<Double>

  /// - Parameters:
  ///   - format: Format of the frames, according to the file's tags.
  ///   - unit: Luminance in cd/m² of 1 in linear samples; nil: not stated.
  ///   - isPremultiplied: Colours are premultiplied by alpha: signals as signals, light as light.
  /// - Returns: nil without a background, or if the light of the samples is unknown.
  package init?(_ format: PixelFormat, unit: Double?, isPremultiplied: Bool, _ compositing: Compositing) {
    let isLight = format.layout.samples == .half
    let color = isLight ? format.color : compositing.tags.over(format)
    guard let background = compositing.background, format.layout.packing == .planar,
      let space = color.primaries.space, let curve = SignalLight(isLight ? .linear : color.transfer, unit: unit)
    else { return nil }
    matrix = YCbCrMatrix(color.matrix)
    if format.layout.components != .rgb, matrix == nil { return nil }
    (self.format, self.isPremultiplied, self.curve) = (format, isPremultiplied, curve)
    scale = SampleScale(bitDepth: format.layout.bitDepth, range: color.range)
    self.background = RGBSpace.conversion(from: .bt709, to: space) * background.light
  }

  /// Composites in place; only before the frame is handed on.
  /// - Parameters:
  ///   - alpha: The alpha plane, as large as the frame.
  ///   - frame: A frame of the compositor's format; a field has half its height.
  ///   - field: The field that the frame holds; nil for a whole frame.
  package func composite(_ alpha: AlphaPlane, _ frame: CodedFrame, _ field: Field? = nil) {
    precondition(alpha.size == frame.size && frame.layout == format.layout)
    if format.layout.samples == .half {
      eachPixel(alpha) { x, y, alpha in compositeLight(frame, x, y, alpha) }
    } else if format.layout.components == .rgb {
      eachPixel(alpha) { x, y, alpha in compositeCodes(frame, x, y, alpha) }
    } else if let matrix {
      ChromaCompositor(self, matrix, scale, alpha, frame, field).run()
    }
  }

  /// Calls `body` with every pixel that is not opaque.
  private func eachPixel(_ alpha: AlphaPlane, _ body: (_ x: Int, _ y: Int, _ alpha: Double) -> Void) {
    for y in 0..<alpha.size.height where !alpha.isOpaque(row: y) {
      for x in 0..<alpha.size.width where alpha[x, y] < 1 { body(x, y, Double(alpha[x, y])) }
    }
  }

  /// Planes are green, blue, red.
  private static let planes = [2, 0, 1]

  private func compositeLight(_ frame: CodedFrame, _ x: Int, _ y: Int, _ alpha: Double) {
    for (component, plane) in Self.planes.enumerated() {
      let stored = Double(Float16(bitPattern: UInt16(frame.sample(plane: plane, x: x, y: y))))
      let light = curve.light(stored) * (isPremultiplied ? 1 : alpha) + (1 - alpha) * background[component]
      let maximum = Double(Float16.greatestFiniteMagnitude)
      let bits = Float16(min(max(curve.signal(light), -maximum), maximum)).bitPattern
      frame.setSample(Int(bits), plane: plane, x: x, y: y)
    }
  }

  private func compositeCodes(_ frame: CodedFrame, _ x: Int, _ y: Int, _ alpha: Double) {
    func signal(_ plane: Int) -> Double { scale.luma(fromCode: frame.sample(plane: plane, x: x, y: y)) }
    let result = composite(SIMD3(signal(2), signal(0), signal(1)), alpha)
    for (component, plane) in Self.planes.enumerated() {
      frame.setSample(scale.code(fromLuma: result[component]), plane: plane, x: x, y: y)
    }
  }

  /// R', G', B' of one pixel over the background.
  func composite(_ signal: SIMD3<Double>, _ alpha: Double) -> SIMD3<Double> {
    var result = SIMD3(repeating: 0.0)
    for component in 0..<3 {
      // At zero alpha, premultiplied colour is purely additive.
      let own = isPremultiplied && alpha > 0 ? signal[component] / alpha : signal[component]
      let share = isPremultiplied && alpha == 0 ? 1 : alpha
      let light = (share == 0 ? 0 : curve.light(own) * share) + (1 - alpha) * background[component]
      result[component] = curve.signal(light)
    }
    return result
  }
}

extension ColorTags {
  /// These tags, with gaps filled from a format and then by the general assumptions.
  fileprivate func over(_ format: PixelFormat) -> ColorDescription {
    var color = format.color
    if let transfer { color.transfer = transfer }
    if let primaries { color.primaries = primaries }
    if let range { color.range = range }
    return color.assumed(layout: format.layout, size: format.size)
  }
}

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

/// The opacity of each pixel of a picture.
package struct AlphaPlane: Sendable {
  package let size: Size
  /// Row by row; 0 is transparent, 1 opaque.
  private var values: [Float]

  /// Transparent everywhere.
  package init(size: Size) {
    self.size = size
    values = Array(repeating: 0, count: size.width * size.height)
  }

  /// Values are 0...1; stored values are limited to this range, and NaN becomes 0.
  package subscript(x: Int, y: Int) -> Float {
    get { values[y * size.width + x] }
    set { values[y * size.width + x] = newValue > 0 ? min(newValue, 1) : 0 }
  }

  /// Whether every pixel is opaque.
  package var isOpaque: Bool { values.allSatisfy { $0 >= 1 } }

  /// Whether every pixel of a row is opaque.
  func isOpaque(row y: Int) -> Bool { values[y * size.width..<(y + 1) * size.width].allSatisfy { $0 >= 1 } }

  /// The rows of one field.
  package func field(_ field: Field) -> AlphaPlane {
    var result = AlphaPlane(size: Size(width: size.width, height: size.height / 2))
    for y in 0..<result.size.height {
      for x in 0..<size.width { result[x, y] = self[x, 2 * y + field.rawValue] }
    }
    return result
  }

  /// Copies another plane to (`x`, `y`) of this one, clipped to its area.
  package mutating func put(_ other: AlphaPlane, x: Int, y: Int) {
    for row in 0..<max(min(other.size.height, size.height - y), 0) {
      for column in 0..<max(min(other.size.width, size.width - x), 0) { self[x + column, y + row] = other[column, row] }
    }
  }
}

/// Converts between the components of a picture and linear light with 1 at reference white.
struct SignalLight {
  /// Luminance of reference white in cd/m². Source: ITU-R BT.2408-8 (2024), 2.1.
  private static let white = 203.0
  /// Scene light of reference white in HLG. Source: ITU-R BT.2408-8 (2024), table 1: signal 0.75.
  private static let sceneWhite = HLG.inverseOETF(0.75)

  let light: @Sendable (Double) -> Double
  let signal: @Sendable (Double) -> Double

  /// - Parameters:
  ///   - transfer: SDR signals represent display light: BT.1886, sRGB or a power.
  ///   - unit: Luminance in cd/m² of 1 in linear light; nil: reference white.
  /// - Returns: nil if the conversion is unknown.
  init?(_ transfer: TransferCharacteristics, unit: Double?) {
    switch transfer {
    case .pq: self.init({ PQ.eotf($0) / Self.white }, { PQ.inverseEOTF($0 * Self.white) })
    case .hlg: self.init({ HLG.inverseOETF($0) / Self.sceneWhite }, { HLG.oetf($0 * Self.sceneWhite) })
    case .linear:
      let factor = unit.map { $0 / Self.white } ?? 1
      self.init({ $0 * factor }, { $0 / factor })
    case .sRGB: self.init({ SRGB.eotf($0) }, { SRGB.inverseEOTF($0) })
    case .gamma22: self.init(power: 2.2)
    case .gamma28: self.init(power: 2.8)
    case .bt709, .smpte170M, .smpte240M, .bt2020TenBit, .bt2020TwelveBit, .iec61966_2_4, .bt1361:
      self.init(power: BT1886.exponent)
    case .log100, .log316, .smpteST428, .unspecified: return nil
    }
  }

  private init(power exponent: Double) {
    self.init(
      { pow($0.magnitude, exponent) * ($0 < 0 ? -1 : 1) }, { pow($0.magnitude, 1 / exponent) * ($0 < 0 ? -1 : 1) })
  }

  private init(_ light: @escaping @Sendable (Double) -> Double, _ signal: @escaping @Sendable (Double) -> Double) {
    (self.light, self.signal) = (light, signal)
  }
}
