/// A coarse summary of a frame: the light of a grid.
public struct FrameSummary: Sendable, Hashable {
  /// Columns of the grid.
  public static let columns = 16
  /// Rows of the grid.
  public static let rows = 9

  /// Number of the frame in its stream, from 0.
  public var index: Int
  /// Presentation time in seconds.
  public var seconds: Double
  /// Mean linear light of R, G and B of each cell, row by row from the top left, in a unit common to all frames.
  public var light: [SIMD3<Float>]
  /// The share of pixels that are clipped, from 0 to 1.
  public var clippedShare: Double
  /// Mean difference between horizontal neighbours, relative to the mean light.
  public var sharpness: Double

  /// Creates a summary; `light` has `columns` times `rows` values.
  public init(index: Int, seconds: Double, light: [SIMD3<Float>], clippedShare: Double = 0, sharpness: Double = 0) {
    precondition(light.count == Self.columns * Self.rows)
    (self.index, self.seconds, self.light) = (index, seconds, light)
    (self.clippedShare, self.sharpness) = (clippedShare, sharpness)
  }

  /// R + G + B of each cell.
  var sums: [Float] { light.map { $0.sum() } }
}
