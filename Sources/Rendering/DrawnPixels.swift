internal import Frames

/// The pixels of a coded picture whose readings graphics may have raised: covered pixels, and pixels that share chroma
/// with coloured graphics.
///
/// White, grey and black reduce the colour of adjacent pixels. A reading could rise only where they replace the
/// opposite colour within one chroma sample; changing all films beside lettering for that would do more harm.
struct DrawnPixels {
  /// How graphics changed a pixel.
  enum Change: UInt8 {
    case none, chroma, light
  }

  private let overlay: LightOverlay
  /// Area of the underlying picture in the frame.
  private let area: PictureArea
  private let width: Int
  /// The field whose rows are used; nil: the rows of the frame.
  private let field: Field?
  /// How far the chroma of a covered pixel reaches. A chroma sample is computed from the luma positions beside it, and
  /// interpolated up to the next one; in frames with separate chroma per field, it reaches three times as far.
  private let reach: (x: Int, y: Int)
  private let luma: DrawnLuma

  /// - Parameters:
  ///   - overlay: Graphics, by rows and columns of the picture area.
  ///   - luma: Luma of the frame before limiting.
  ///   - isInterlaced: Whether each field has separate chroma.
  init(
    _ overlay: LightOverlay, _ area: PictureArea, of format: PixelFormat, _ field: Field?, isInterlaced: Bool,
    _ luma: DrawnLuma
  ) {
    (self.overlay, self.area, self.field, self.luma, width) = (overlay, area, field, luma, format.size.width)
    let rows = isInterlaced && field == nil ? 6 : 2
    reach = (2 * format.layout.chromaShiftX, rows * format.layout.chromaShiftY)
  }

  /// The rows that may have changed.
  var rows: Range<Int> {
    let first = overlay.rows.lowerBound + area.y
    let step = field == nil ? 1 : 2
    return first / step - reach.y..<(first + overlay.rows.count) / step + reach.y + 1
  }

  /// Returns the minimum that luma is lowered to. Where the picture itself is above the peak, edges would otherwise
  /// become darker than both sides.
  func floor(_ x: Int, _ y: Int) -> Int {
    let (row, step) = (field.map { 2 * y + $0.rawValue } ?? y, field == nil ? 1 : 2)
    // Chroma rounding may raise a reading above the peak.
    return luma.least(x - reach.x...x + reach.x, row - step * reach.y...row + step * reach.y) - 2
  }

  /// Returns the changes of a row; nil: none.
  func changes(ofRow row: Int) -> [Change]? {
    var changes: [Change]?
    for near in row - reach.y...row + reach.y {
      forEachCovered(in: near) { x, sample in
        guard near == row || Self.isColored(sample) else { return }
        if changes == nil { changes = [Change](repeating: .none, count: width) }
        if Self.isColored(sample) {
          for beside in max(x - reach.x, 0)...min(x + reach.x, width - 1) where changes?[beside] == Change.none {
            changes?[beside] = .chroma
          }
        }
        if near == row { changes?[x] = .light }
      }
    }
    return changes
  }

  /// Whether the chroma exceeds the residue of colour-space conversions of grey.
  private static func isColored(_ sample: SIMD4<Float>) -> Bool {
    let (least, most) = (min(sample.x, sample.y, sample.z), max(sample.x, sample.y, sample.z))
    return most - least > 0x1p-6 * most
  }

  /// Calls `body` with the covered columns of a row and the samples that cover them.
  private func forEachCovered(in row: Int, _ body: (Int, SIMD4<Float>) -> Void) {
    let drawn = (field.map { 2 * row + $0.rawValue } ?? row) - area.y
    guard overlay.rows.contains(drawn), drawn < area.height else { return }
    let span = overlay.spans[drawn - overlay.firstRow]
    for index in 0..<max(min(span.count, area.width - span.first), 0) where overlay.samples[span.offset + index].w > 0 {
      body(area.x + span.first + index, overlay.samples[span.offset + index])
    }
  }
}

/// Luma of the rows changed by graphics, and of adjacent rows.
struct DrawnLuma {
  private let rows: Range<Int>
  private let width: Int
  private let samples: [UInt16]

  /// - Parameter rows: Rows of the frame; rows outside it are ignored.
  init(_ frame: CodedFrame, _ rows: Range<Int>) {
    let (rows, width) = (rows.clamped(to: 0..<frame.size.height), frame.size.width)
    (self.rows, self.width) = (rows, width)
    let isByte = frame.layout.bytesPerSample == 1
    samples = unsafe frame.withPlane(0) { plane in
      var samples: [UInt16] = []
      samples.reserveCapacity(rows.count * width)
      for y in rows {
        let row = unsafe plane.row(y)
        for x in 0..<width {
          samples.append(
            unsafe isByte
              ? UInt16(row.load(fromByteOffset: x, as: UInt8.self)) : row.load(fromByteOffset: 2 * x, as: UInt16.self))
        }
      }
      return samples
    }
  }

  /// Returns the minimum in a rectangle, cropped to the available rows and columns.
  func least(_ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) -> Int {
    var least = UInt16.max
    for y in rows where self.rows.contains(y) {
      for x in columns where x >= 0 && x < width { least = min(least, samples[(y - self.rows.lowerBound) * width + x]) }
    }
    return Int(least)
  }
}
