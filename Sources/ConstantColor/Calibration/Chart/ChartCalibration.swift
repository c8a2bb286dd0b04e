internal import ColorScience
public import Frames

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
