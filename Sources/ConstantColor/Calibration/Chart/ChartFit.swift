internal import ColorScience
internal import Frames

/// The matrix fitted to a chart, and the illumination if it is uneven.
struct ChartFit {
  /// From R, G, B, divided by the illumination, to XYZ in D65.
  let matrix: Matrix3
  /// R, G, B of the patches, divided by the illumination.
  let rgb: [SIMD3<Double>]
  /// nil: uniform or already known.
  let falloff: ChartFalloff?
  /// CIEDE2000 of the patches.
  let differences: [Double]

  /// To be accepted, a more complex model must reach this F-ratio (explained per added parameter over unexplained per
  /// degree of freedom) and leave at most this fraction of the squares.
  private static let significance = (ratio: 15.0, squares: 0.7)
  /// Root mean square residual below which no further model is tried.
  private static let negligible = 0.1

  /// - Parameters:
  ///   - reading: The patches.
  ///   - field: The light over the frame, if known.
  /// - Throws: `CalibrationError.dependentChannels`
  init(_ reading: ChartReading, field: FlatField?) throws(CalibrationError) {
    let extent = SIMD2(Double(reading.picture.width), Double(reading.picture.height))
    let known = reading.patches.map { patch in
      let place = patch.center / extent
      return patch.rgb / (field?.light(x: place.x, y: place.y) ?? 1)
    }
    guard var best = Candidate(.even, known, reading) else { throw .dependentChannels }
    if field == nil {
      for model in [ChartFalloff.Model.radial, .tilted] {
        guard let candidate = Candidate(model, known, reading), candidate.explains(more: best) else { continue }
        best = candidate
      }
    }
    falloff = best.falloff
    rgb = best.fit.samples.map(\.rgb)
    matrix = best.matrix
    differences = best.fit.differences(best.matrix)
  }

  /// Returns the chart's colours; greys weigh more, because the eye judges everything against them.
  private static func colorFit(_ rgb: [SIMD3<Double>]) -> ColorFit {
    ColorFit(
      zip(rgb, ColorCheckerPatch.all).enumerated().map { index, pair in
        ColorFit.Sample(rgb: pair.0, xyz: pair.1.xyzD65, weight: index >= 18 ? 2 : 1)
      })
  }

  /// A fitted illumination model.
  private struct Candidate {
    let model: ChartFalloff.Model
    let fit: ColorFit
    let matrix: Matrix3
    let falloff: ChartFalloff?
    let squares: Double

    init?(_ model: ChartFalloff.Model, _ rgb: [SIMD3<Double>], _ reading: ChartReading) {
      self.model = model
      let even = ChartFit.colorFit(rgb)
      guard let start = even.matrix() else { return nil }
      guard model != .even else {
        (fit, matrix, falloff) = (even, start, nil)
        squares = even.residuals(start).reduce(0) { $0 + $1 * $1 }
        return
      }
      let unit = start.largestElement
      func shape(_ parameters: [Double]) -> ChartFalloff {
        ChartFalloff(Array(parameters.dropFirst(9)), size: reading.picture)
      }
      func lit(_ falloff: ChartFalloff) -> [SIMD3<Double>] {
        zip(rgb, reading.patches).map { $0 / falloff.light(at: $1.center) }
      }
      let search = LevenbergMarquardt { parameters in
        even.residuals(Matrix3(elements: parameters, scale: 1 / unit), rgb: lit(shape(parameters)))
      }
      let begin = start.elements(scale: unit) + Array(repeating: 0, count: model.parameterCount)
      let (parameters, sum) = search.minimum(from: begin)
      let found = shape(parameters)
      guard found.isPlausible, sum.isFinite else { return nil }
      (falloff, squares) = (found, sum)
      fit = ChartFit.colorFit(lit(found))
      matrix = Matrix3(elements: parameters, scale: 1 / unit)
      guard matrix.isWellConditioned else { return nil }
    }

    /// Source: the F-test for nested models.
    func explains(more simpler: Candidate) -> Bool {
      let count = Double(3 * fit.samples.count)
      guard simpler.squares > ChartFit.negligible * ChartFit.negligible * count else { return false }
      let freedom = count - 9 - Double(model.parameterCount)
      let added = Double(model.parameterCount - simpler.model.parameterCount)
      let ratio = (simpler.squares - squares) / added / max(squares / freedom, .leastNormalMagnitude)
      return ratio > ChartFit.significance.ratio && squares < ChartFit.significance.squares * simpler.squares
    }
  }
}
