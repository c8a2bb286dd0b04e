internal import Frames

/// The two aligned pictures, in the unit of the flash picture.
struct LinearPair: Sendable {
  /// The picture with the flash.
  var flash: SceneImage
  /// The picture without the flash, aligned to the flash picture.
  var ambient: SceneImage
  /// Factor of the ambient samples: exposure of the flash picture over exposure of the ambient picture.
  var gain: Double
  /// Noise of the flash picture.
  var flashNoise: NoiseModel
  /// Noise of the ambient picture, before the gain.
  var ambientNoise: NoiseModel

  /// Relative uncertainty of the exposure ratio, from the repeatability of shutter and aperture: a hundredth of the
  /// ambient light.
  static let exposureTolerance = 0.01

  var size: Size { flash.size }

  /// Returns the variance of a sample of the difference, by channel.
  func variance(flash: SIMD3<Double>, ambient: SIMD3<Double>) -> SIMD3<Double> {
    flashNoise.variance(of: flash) + gain * gain * ambientNoise.variance(of: ambient)
  }
}
