/// Chroma resampling between full and halved resolution: filter taps and weights.
///
/// Planes are closures from column and row to sample, so that single pixels can be computed. Edge samples are repeated.
/// The axes are filtered separately; an axis that is not subsampled is unchanged.
public enum ChromaResampling {
  /// Two or three neighbours on one axis and their weights, which sum to 1.
  public struct Taps: Sendable, Hashable {
    /// Index of the first neighbour; may lie beyond an edge.
    public let first: Int
    /// Weights of `first`, `first + 1`, ...
    public let weights: [Double]
  }

  /// Taps of the chroma at a luma position, by linear interpolation.
  /// - Parameters:
  ///   - luma: Index of the luma sample.
  ///   - shift: log2 of the subsampling on this axis, 0 or 1.
  ///   - offset: Position of chroma sample 0 in luma samples (`ChromaLocation.offset`).
  public static func upsampling(luma: Int, shift: Int, offset: Double) -> Taps {
    guard shift == 1 else { return Taps(first: luma, weights: [1]) }
    let position = (Double(luma) - offset) / 2
    let first = position.rounded(.down)
    let fraction = position - first
    return Taps(first: Int(first), weights: fraction == 0 ? [1] : [1 - fraction, fraction])
  }

  /// Taps of the full-resolution chroma for one subsampled sample.
  ///
  /// The nearest luma sample has half of the weight, its neighbours the rest, so that the mean position matches the
  /// chroma sample and the highest frequency is suppressed: quarters 1, 2, 1 on a luma position, the mean of two in
  /// between.
  /// - Parameters:
  ///   - chroma: Index of the subsampled sample.
  ///   - shift: log2 of the subsampling on this axis, 0 or 1.
  ///   - offset: Position of chroma sample 0 in luma samples.
  public static func downsampling(chroma: Int, shift: Int, offset: Double) -> Taps {
    guard shift == 1 else { return Taps(first: chroma, weights: [1]) }
    let position = Double(2 * chroma) + offset
    let nearest = (position - 0.5).rounded(.up)
    let lean = (position - nearest) / 2
    return lean == 0.25
      ? Taps(first: Int(nearest), weights: [0.5, 0.5])
      : Taps(first: Int(nearest) - 1, weights: [0.25 - lean, 0.5, 0.25 + lean])
  }

  /// Chroma at a luma position.
  /// - Parameters:
  ///   - x: Column of the luma sample.
  ///   - y: Row of the luma sample.
  ///   - width: Columns of the subsampled plane.
  ///   - height: Rows of the subsampled plane.
  ///   - shiftX: log2 of the horizontal subsampling, 0 or 1.
  ///   - shiftY: log2 of the vertical subsampling, 0 or 1.
  ///   - offset: Position of chroma sample (0, 0) in luma samples.
  ///   - plane: The subsampled plane.
  public static func upsample(
    x: Int, y: Int, width: Int, height: Int, shiftX: Int, shiftY: Int, offset: SIMD2<Double>,
    plane: (_ x: Int, _ y: Int) -> Double
  ) -> Double {
    weighted(
      upsampling(luma: x, shift: shiftX, offset: offset.x),
      upsampling(luma: y, shift: shiftY, offset: offset.y), width: width, height: height, plane: plane)
  }

  /// Subsampled chroma from chroma at full resolution.
  /// - Parameters:
  ///   - x: Column of the subsampled sample.
  ///   - y: Row of the subsampled sample.
  ///   - width: Columns of the full plane.
  ///   - height: Rows of the full plane.
  ///   - shiftX: log2 of the horizontal subsampling, 0 or 1.
  ///   - shiftY: log2 of the vertical subsampling, 0 or 1.
  ///   - offset: Position of chroma sample (0, 0) in luma samples.
  ///   - plane: The plane at full resolution.
  public static func downsample(
    x: Int, y: Int, width: Int, height: Int, shiftX: Int, shiftY: Int, offset: SIMD2<Double>,
    plane: (_ x: Int, _ y: Int) -> Double
  ) -> Double {
    weighted(
      downsampling(chroma: x, shift: shiftX, offset: offset.x),
      downsampling(chroma: y, shift: shiftY, offset: offset.y), width: width, height: height,
      plane: plane)
  }

  private static func weighted(
    _ columns: Taps, _ rows: Taps, width: Int, height: Int, plane: (_ x: Int, _ y: Int) -> Double
  ) -> Double {
    var sum = 0.0
    for (j, rowWeight) in rows.weights.enumerated() {
      let y = min(max(rows.first + j, 0), height - 1)
      for (i, columnWeight) in columns.weights.enumerated() {
        sum += rowWeight * columnWeight * plane(min(max(columns.first + i, 0), width - 1), y)
      }
    }
    return sum
  }
}
