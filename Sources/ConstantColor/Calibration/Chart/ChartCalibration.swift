internal import ColorScience
public import Frames
internal import Glibc

/// A calibration from a picture of a ColorChecker.
public struct ChartCalibration: Sendable, Hashable {
  /// The calibration.
  public let calibration: ColorCalibration
  /// CIEDE2000 between each patch and its reference, in the order of `ColorCheckerPatch.all`.
  public let differences: [Double]
  /// The chart in the picture.
  public let reading: ChartReading

  /// Mean CIEDE2000 above which the subject is not a chart, or the light cannot be described by a matrix.
  public static let tolerableDifference = 6.0

  /// Calibrates a camera and its flash.
  /// - Parameters:
  ///   - reading: The chart in the light of the flash alone: in a picture taken in the dark, or in the difference of
  ///     pictures with and without the flash.
  ///   - description: The components and exposure of the flash picture.
  ///   - falloff: The light of the flash over the frame, from a flat-field picture; nil: estimated from the chart, if
  ///     it shows any.
  ///   - flash: The flash, in the user's words.
  /// - Throws: `CalibrationError`
  public init(
    _ reading: ChartReading, of description: SceneDescription, falloff: FlatField? = nil, flash: String? = nil
  ) throws(CalibrationError) {
    let fit = try ChartFit(reading, field: falloff)
    let mean = fit.differences.reduce(0, +) / Double(fit.differences.count)
    guard mean <= Self.tolerableDifference else { throw .poorFit(mean: mean) }
    let components = description.components
    calibration = ColorCalibration(
      components: components.name, toXYZ: fit.matrix, white: try Self.white(fit),
      falloff: falloff ?? fit.falloff?.field, exposure: description.exposure,
      camera: Self.camera(components), flash: flash, source: .chart,
      residuals: ColorCalibration.Residuals(mean: mean, max: fit.differences.max() ?? mean))
    differences = fit.differences
    self.reading = reading
  }

  /// Returns R, G, B of a neutral surface, from the grey patches, each corrected for the error of its reference from
  /// neutral.
  private static func white(_ fit: ChartFit) throws(CalibrationError) -> SIMD3<Double> {
    let fromXYZ = fit.matrix.inverse
    let neutral = fromXYZ * CIELAB.white
    var sum = SIMD3<Double>.zero
    // The black patch is mostly reflections and noise.
    for index in 18..<23 {
      let correction = neutral / (fromXYZ * ColorCheckerPatch.all[index].xyzD65)
      sum += fit.rgb[index] * correction
    }
    let white = sum / sum.y
    guard white.min() > 0, white.max().isFinite else { throw .dependentChannels }
    return white
  }

  private static func camera(_ components: SceneDescription.Components) -> String? {
    if case .camera(let name, _) = components { name } else { nil }
  }
}

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

/// The illumination of a frame, as far as a chart in it reveals it.
struct ChartFalloff {
  /// The fitted model.
  enum Model: Int, CaseIterable {
    /// Uniform light.
    case even = 0
    /// Darker towards the corners, as with light on a plane and through lenses.
    case radial = 1
    /// Radial, and brighter on one side.
    case tilted = 3

    var parameterCount: Int { rawValue }
  }

  /// Strength of the radial falloff, and logarithmic slopes to the right and down, all per half diagonal.
  private let radial: Double, slope: SIMD2<Double>
  private let size: Size

  /// - Parameters:
  ///   - parameters: As many as the model needs.
  ///   - size: Extent of the picture.
  init(_ parameters: [Double], size: Size) {
    radial = parameters.first ?? 0
    slope = parameters.count == Model.tilted.parameterCount ? SIMD2(parameters[1], parameters[2]) : .zero
    self.size = size
  }

  /// Returns the relative light at a position in pixels; 1 at the centre.
  ///
  /// Source: cosine-fourth law: the squared tangent of the angle to the axis is proportional to the squared distance
  /// from the centre. The coefficient is fitted.
  func light(at place: SIMD2<Double>) -> Double {
    let extent = SIMD2(Double(size.width), Double(size.height))
    let offset = (place - extent / 2) * (2 / hypot(extent.x, extent.y))
    let tangent = max(1 + radial * (offset * offset).sum(), 0.01)
    return exp((slope * offset).sum()) / (tangent * tangent)
  }

  /// Whether a flash can light a frame like this: no brighter at the edges than at the centre, and within bounds.
  var isPlausible: Bool {
    let corners = [(0.0, 0.0), (1, 0), (0, 1), (1, 1)].map { x, y in
      light(at: SIMD2(x * Double(size.width), y * Double(size.height)))
    }
    return radial > -0.05 && corners.allSatisfy { (0.1...4).contains($0) }
  }

  /// The falloff as a grid.
  var field: FlatField {
    FlatField(columns: 17, rows: 13) { x, y in
      light(at: SIMD2(x * Double(size.width), y * Double(size.height)))
    }
  }
}
