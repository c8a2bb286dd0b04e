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

/// A picture downscaled for the chart search.
struct ReducedPicture {
  /// Columns and rows.
  let size: Size
  /// Pixels of the picture per pixel of this one, equal in both directions.
  let scale: Double
  /// Linear light, row by row.
  let linear: [SIMD3<Float>]
  /// Perceptually uniform tones, white about 1; lower in channels with much noise.
  let tones: [SIMD3<Float>]

  /// Maximum number of columns or rows.
  private static let maximumExtent = 800

  init(_ picture: SceneImage) {
    let factor = (max(picture.size.width, picture.size.height) + Self.maximumExtent - 1) / Self.maximumExtent
    let size = Size(
      width: max(picture.size.width / factor, 1), height: max(picture.size.height / factor, 1))
    self.size = size
    scale = Double(factor)
    var light = Array(repeating: SIMD3<Float>.zero, count: size.width * size.height)
    let columns = min(size.width * factor, picture.size.width)
    for channel in 0..<3 {
      for y in 0..<min(size.height * factor, picture.size.height) {
        let row = y / factor * size.width
        for x in 0..<columns {
          let value = picture[channel, x, y]
          if value.isFinite, value > 0 { light[row + x / factor][channel] += value }
        }
      }
    }
    let pixels = Float(factor * factor)
    for index in light.indices { light[index] /= pixels }
    let bright = Self.bright(light)
    linear = light
    let tones = light.map { pixel in (pixel / bright + 0.01).squareRoot() - 0.1 }
    let noise = pointwiseMax(Self.noise(tones), SIMD3(repeating: Self.tolerableNoise))
    self.tones = tones.map { $0 * (Self.tolerableNoise / noise) }
  }

  /// Tone noise that does not affect the search.
  private static let tolerableNoise: Float = 0.01

  /// Returns the median difference between neighbours in each channel.
  private static func noise(_ tones: [SIMD3<Float>]) -> SIMD3<Float> {
    var result = SIMD3<Float>.zero
    let step = max(tones.count / 20_000, 1)
    guard tones.count > 1 else { return result }
    for channel in 0..<3 {
      let steps = stride(from: 1, to: tones.count, by: step).map { index in
        (tones[index][channel] - tones[index - 1][channel]).magnitude
      }
      result[channel] = steps.sorted()[steps.count / 2]
    }
    return result
  }

  /// Returns the light of each channel that few pixels exceed.
  private static func bright(_ light: [SIMD3<Float>]) -> SIMD3<Float> {
    var result = SIMD3<Float>.one
    let step = max(light.count / 20_000, 1)
    for channel in 0..<3 {
      let values = stride(from: 0, to: light.count, by: step).map { light[$0][channel] }.sorted()
      let value = values[values.count * 98 / 100]
      if value > 0, value.isFinite { result[channel] = value }
    }
    return result
  }

  /// Returns the mean linear light around a position; nil outside the picture.
  /// - Parameter reach: Half the side of the averaged square, in pixels.
  func mean(at place: SIMD2<Double>, reach: Double) -> SIMD3<Double>? {
    let (low, high) = (place - reach, place + reach)
    guard low.x >= 0, low.y >= 0, high.x < Double(size.width), high.y < Double(size.height) else { return nil }
    var (sum, count) = (SIMD3<Double>.zero, 0.0)
    for y in Int(low.y)...Int(high.y) {
      for x in Int(low.x)...Int(high.x) {
        sum += SIMD3<Double>(linear[y * size.width + x])
        count += 1
      }
    }
    return sum / count
  }
}
