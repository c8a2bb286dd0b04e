internal import ColorScience
internal import Frames

/// Finds a ColorChecker in a picture: a grid of uniform squares in the chart's colours.
struct ChartFinder {
  private let picture: ReducedPicture
  private let grids: [SquareGrid]

  /// Number of sightings that get a full fit.
  private static let finalists = 6

  init(_ picture: SceneImage) {
    self.picture = ReducedPicture(picture)
    grids = SquareGrid.all(of: FlatSquare.all(in: self.picture))
  }

  /// Returns the centres of the corner patches in pixels: dark skin, bluish green, black, white; counterclockwise if
  /// the chart is mirrored.
  /// - Throws: `CalibrationError.chartNotFound`
  func corners() throws(CalibrationError) -> [SIMD2<Double>] {
    let sightings = grids.flatMap { grid in ChartSighting.all(of: grid, in: picture) }
    let finalists = sightings.sorted { $0.roughDifference < $1.roughDifference }.prefix(Self.finalists)
    let judged = finalists.map { ($0, $0.difference) }
    guard let (best, difference) = judged.min(by: { $0.1 < $1.1 }), difference < ChartCalibration.tolerableDifference
    else {
      throw .chartNotFound
    }
    return best.corners.map { $0 * picture.scale }
  }
}
