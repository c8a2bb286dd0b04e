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
    self.rows = rows
    self.size = size
    self.metadata = metadata
    self.weight = weight
    columns = (0..<size.width).map { Position($0, of: size.width, in: rows.size.width) }
  }

  /// Applies the map to a row of linear light in place.
  ///
  /// Source: ISO 21496-1 (2025), 6.2.
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
