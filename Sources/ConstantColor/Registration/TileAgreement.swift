internal import Frames
internal import Rendering

/// The agreement of two pictures per tile: correlations of their local contrast.
struct TileAgreement: Sendable {
  /// Correlation of each tile; nil where the pictures are inconclusive.
  let correlations: [Double?]

  /// Compares two aligned pictures.
  init(_ first: Plane, _ second: Plane, tile: Int) {
    var correlations: [Double?] = []
    for y in stride(from: 0, to: first.size.height, by: tile) {
      for x in stride(from: 0, to: first.size.width, by: tile) {
        correlations.append(
          Self.correlation(
            first, second, x..<min(x + tile, first.size.width), y..<min(y + tile, first.size.height)))
      }
    }
    self.correlations = correlations
  }

  private static func correlation(_ first: Plane, _ second: Plane, _ columns: Range<Int>, _ rows: Range<Int>) -> Double?
  {
    var (product, own, others, count) = (Float(0), Float(0), Float(0), 0)
    for y in rows {
      let (a, b) = unsafe (first.row(y), second.row(y))
      for x in columns {
        let (left, right) = unsafe (a[x], b[x])
        guard left * right == left * right else { continue }
        product += left * right
        own += left * left
        others += right * right
        count += 1
      }
    }
    guard 2 * count > columns.count * rows.count, own * others > 0 else { return nil }
    return Double(product / (own * others).squareRoot())
  }

  /// Returns by how many standard errors the tiles agree better than others; negative: worse.
  func gain(over other: TileAgreement) -> Double {
    let gains = zip(correlations, other.correlations).compactMap { own, others in
      own.flatMap { own in others.map { own - $0 } }
    }
    guard gains.count >= 8 else { return 0 }
    let mean = gains.reduce(0, +) / Double(gains.count)
    let variance = gains.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gains.count - 1)
    return mean / (variance / Double(gains.count) + 1e-12).squareRoot()
  }
}
