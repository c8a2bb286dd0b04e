internal import ColorScience
internal import Frames

/// Checks that the patches of a chart are usable.
struct ChartInspection {
  private let patches: [PatchSamples]
  private let picture: SceneImage
  /// Light added to dark patches in comparisons, so that their noise does not count as unevenness.
  private let floor: SIMD3<Double>

  /// Fractions of a patch's pixels that may be clipped, and that may be outliers.
  private static let tolerance = (clipped: 0.02, outliers: 0.25)
  /// Standard error of a patch's mean, and difference between its quarters, relative to its light.
  private static let limits = (noise: 0.02, quarters: 0.25)

  /// - Parameters:
  ///   - patches: All patches, in order.
  ///   - picture: The picture that contains them.
  init(_ patches: [PatchSamples], in picture: SceneImage) {
    self.patches = patches
    self.picture = picture
    floor = patches[18].mean * 0.02
  }

  /// - Throws: `CalibrationError.patchClipped` for the first clipped patch.
  func checkClipping() throws(CalibrationError) {
    for (index, patch) in patches.enumerated() {
      if patch.saturatedShare > Self.tolerance.clipped || isAtCeiling(index) { throw .patchClipped(patch.name) }
    }
  }

  /// - Throws: `CalibrationError` for the first patch that is too noisy or uneven.
  func check() throws(CalibrationError) {
    for patch in patches {
      if patch.outliers > Self.tolerance.outliers { throw .patchUneven(patch.name) }
      // Anything below the floor is noise around zero.
      let light = pointwiseMax(patch.mean, .zero) + floor
      guard light.min() > 0 else { throw .patchNoisy(patch.name) }
      let noise = patch.deviation / (Double(patch.count).squareRoot() * light)
      guard noise.max() <= Self.limits.noise else { throw .patchNoisy(patch.name) }
      let high = patch.quarters.reduce(patch.mean) { pointwiseMax($0, $1) }
      let low = patch.quarters.reduce(patch.mean) { pointwiseMin($0, $1) }
      // Quarters have twice the noise of the whole.
      let tolerated = SIMD3(repeating: Self.limits.quarters) + 6 * noise
      guard ((high - low) / light - tolerated).max() <= 0 else { throw .patchUneven(patch.name) }
    }
  }

  /// Whether many pixels of a patch share the maximum of a channel over all patches, while most patches do not:
  /// evidence of clipping when the saturation is unknown.
  private func isAtCeiling(_ index: Int) -> Bool {
    guard picture.description.saturation == nil else { return false }
    for channel in 0..<3 {
      let ceiling = patches.map { $0.maximum[channel] }.max() ?? 0
      let usual = patches.map { $0.maximumShare[channel] }.sorted()[patches.count / 2]
      let patch = patches[index]
      if patch.maximum[channel] == ceiling, patch.maximumShare[channel] > 0.1, usual < 0.1 { return true }
    }
    return false
  }
}
