internal import ColorScience
internal import Frames

/// Finds a ColorChecker in a picture: squares of even colour that lie in a grid, whose colours are those of the chart.
struct ChartFinder {
  private let picture: ReducedPicture
  private let grids: [SquareGrid]

  /// Sightings that are fitted closely.
  private static let finalists = 6

  init(_ picture: SceneImage) {
    self.picture = ReducedPicture(picture)
    grids = SquareGrid.all(of: FlatSquare.all(in: self.picture))
  }

  /// The centres of the corner patches in pixels of the picture: dark skin, bluish green, black, white; they
  /// run counterclockwise if the chart is mirrored.
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
