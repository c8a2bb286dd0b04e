internal import Frames
internal import Rendering

/// The contrast of both pictures, at the working size and at ever smaller ones.
struct PicturePyramid: Sendable {
  /// Light at the working size, in the unit of the flash picture's channels that are weighted as the ambient light is.
  let flashLight: ReducedLight
  /// The same of the ambient picture.
  let ambientLight: ReducedLight
  /// Weights of the ambient picture's channels in its light.
  let ambientWeights: SIMD3<Float>
  /// The largest first.
  let flash: [LocalContrast]
  /// Of the same sizes.
  let ambient: [LocalContrast]

  /// Reduces both pictures.
  init(of flash: SceneImage, in ambient: SceneImage, pool: WorkerPool) {
    let weights = Self.weights(ChannelLevels(flash).medians, ChannelLevels(ambient).medians)
    flashLight = ReducedLight(flash, weights: weights.flash, pool: pool)
    ambientLight = ReducedLight(ambient, weights: weights.ambient, pool: pool)
    ambientWeights = weights.ambient
    var levels = [(LocalContrast(flashLight, pool: pool), LocalContrast(ambientLight, pool: pool))]
    while let last = levels.last, max(last.0.plane.size.width, last.0.plane.size.height) > StartSearch.side {
      levels.append((last.0.halved(pool: pool), last.1.halved(pool: pool)))
    }
    self.flash = levels.map(\.0)
    self.ambient = levels.map(\.1)
  }

  /// Weights of the channels with which both pictures see a surface alike although their light differs in colour: a
  /// surface's share in each channel is that of the ambient light.
  private static func weights(
    _ flash: SIMD3<Float>, _ ambient: SIMD3<Float>
  ) -> (flash: SIMD3<Float>, ambient: SIMD3<Float>) {
    let total = ambient.sum()
    guard flash.min() > 0, ambient.min() > 0, total.isFinite else {
      return (SIMD3(repeating: 1 / 3), SIMD3(repeating: 1 / 3))
    }
    return (ambient / flash / total, SIMD3(repeating: 1 / total))
  }
}
