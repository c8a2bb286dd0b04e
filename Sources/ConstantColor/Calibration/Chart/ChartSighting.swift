internal import ColorScience

/// A candidate position and orientation of a chart in a grid of squares.
struct ChartSighting {
  /// The centres of the corner patches in pixels of the reduced picture.
  let corners: [SIMD2<Double>]
  /// Mean CIEDE2000 after a fast linear fit.
  let roughDifference: Double
  private let reading: ChartReading

  /// Returns all candidates whose 24 patches lie in the picture.
  static func all(of grid: SquareGrid, in picture: ReducedPicture) -> [ChartSighting] {
    let (columns, rows) = (grid.cells.map(\.column), grid.cells.map(\.row))
    var result: [ChartSighting] = []
    for turns in 0..<4 {
      let isUpright = turns % 2 == 0
      let width = isUpright ? ColorCheckerPatch.columns : ColorCheckerPatch.rows
      let height = isUpright ? ColorCheckerPatch.rows : ColorCheckerPatch.columns
      for row in origins(rows, height) {
        for column in origins(columns, width) {
          for isMirrored in [false, true] {
            let pose = Pose(column: column, row: row, turns: turns, isMirrored: isMirrored)
            if let sighting = ChartSighting(pose, grid, picture) { result.append(sighting) }
          }
        }
      }
    }
    return result
  }

  /// Mean CIEDE2000 with the best matrix and illumination model.
  var difference: Double { (try? ChartFit(reading, field: nil)).map { Self.mean($0.differences) } ?? .infinity }

  private struct Pose {
    /// The first column and row of the grid that the chart covers.
    var column: Int, row: Int
    /// Quarter turns, clockwise.
    var turns: Int
    var isMirrored: Bool

    /// Returns the grid position of a chart position.
    func place(_ patch: SIMD2<Double>) -> SIMD2<Double> {
      let (right, bottom) = (Double(ColorCheckerPatch.columns - 1), Double(ColorCheckerPatch.rows - 1))
      let (x, y) = (isMirrored ? right - patch.x : patch.x, patch.y)
      let turned =
        switch turns {
        case 0: SIMD2(x, y)
        case 1: SIMD2(bottom - y, x)
        case 2: SIMD2(right - x, bottom - y)
        default: SIMD2(y, right - x)
        }
      return turned + SIMD2(Double(column), Double(row))
    }
  }

  private init?(_ pose: Pose, _ grid: SquareGrid, _ picture: ReducedPicture) {
    var (samples, patches): ([ColorFit.Sample], [ChartReading.Patch]) = ([], [])
    for (index, patch) in ColorCheckerPatch.all.enumerated() {
      let place = pose.place(ChartPlacement.center(index))
      let (middle, edge) = (grid.toPicture(place), grid.toPicture(place + 0.2))
      let step = edge - middle
      let reach = max(step.x.magnitude, step.y.magnitude) / 2
      guard reach < 100, let rgb = picture.mean(at: middle, reach: reach) else { return nil }
      samples.append(ColorFit.Sample(rgb: rgb, xyz: patch.xyzD65))
      patches.append(ChartReading.Patch(rgb: rgb, center: middle))
    }
    let fit = ColorFit(samples)
    guard let matrix = fit.linearMatrix() else { return nil }
    roughDifference = Self.mean(fit.differences(matrix))
    corners = ChartPlacement.corners.map { grid.toPicture(pose.place($0)) }
    reading = ChartReading(patches: patches, corners: corners, picture: picture.size)
  }

  /// Returns the possible first positions of a chart that covers as many of the detected positions as possible.
  private static func origins(_ positions: [Int], _ count: Int) -> ClosedRange<Int> {
    let (first, last) = (positions.min() ?? 0, positions.max() ?? 0)
    return min(first, last - count + 1)...max(first, last - count + 1)
  }

  private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
}
