internal import ColorScience
internal import Frames

/// The factor that makes light relative to a white surface.
enum ReferenceWhite {
  /// Rendered level of the brightest hundredth of the picture, if the level of white is unknown.
  private static let bright = 0.8
  private static let share = 0.01

  /// Returns the factor that brings the brightest hundredth of the picture to 0.8 of white.
  ///
  /// It depends only on the light of the flash, so ambient light has no influence.
  static func automatic(_ blocks: PairBlocks, gain: Double, _ transform: FlashTransform) -> Double {
    let weights = transform.toXYZ.row1
    let luminance = CellGrid(meanOver: blocks.saturation.size) { index in
      var sum = 0.0
      for channel in 0..<3 {
        let light = Double(blocks.flash[channel].values[index]) - gain * Double(blocks.ambient[channel].values[index])
        sum += weights[channel] * light
      }
      return SIMD8(lowHalf: SIMD4(sum, 0, 0, 0), highHalf: .zero)
    }
    let sorted = luminance.values.map { $0[0] }.filter(\.isFinite).sorted(by: >)
    guard !sorted.isEmpty else { return 1 }
    let light = sorted[Int(Double(sorted.count) * share)]
    return light > 0 ? bright / light : 1
  }

  /// Returns the factor of a calibration: white as for the chart, adjusted to the exposure of this picture.
  /// - Returns: nil if an exposure is unknown.
  static func calibrated(_ light: FlashLight, exposure: Exposure?) -> Double? {
    guard case .calibrated(let calibration) = light, let made = calibration.exposure, let exposure else { return nil }
    return made.ratio(to: exposure)
  }
}
