internal import Frames

/// The two pictures, aligned, in the unit of the flash picture.
struct LinearPair: Sendable {
  /// The picture with the flash.
  var flash: SceneImage
  /// The picture without it, at the pixels of the other.
  var ambient: SceneImage
  /// What samples of the ambient picture are multiplied by: the exposure of the flash picture over its own.
  var gain: Double
  /// Noise of the flash picture.
  var flashNoise: NoiseModel
  /// Noise of the ambient picture, before the gain.
  var ambientNoise: NoiseModel

  /// What the repeatability of shutter and aperture leaves unknown of the exposure ratio, in parts of it: a hundredth of
  /// the room's light.
  static let exposureTolerance = 0.01

  var size: Size { flash.size }

  /// Variance of a sample of the difference, by channel.
  func variance(flash: SIMD3<Double>, ambient: SIMD3<Double>) -> SIMD3<Double> {
    flashNoise.variance(of: flash) + gain * gain * ambientNoise.variance(of: ambient)
  }
}
